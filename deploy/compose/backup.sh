#!/bin/sh
# Writes a backup of the three databases to standard output, as one tar file. Everything goes on running meanwhile.
# Holdpoint's comes first: `holdpoint reconcile` makes up for what it lacks, if Temporal's are a little newer. Left out is
# which processes of Temporal were there: a restored one would wait for them.
# Usage, beside compose.yaml: docker compose exec -T postgresql /deploy/backup.sh >~/backup.tar
set -eu
export PGUSER="${PGUSER:-${POSTGRES_USER:-}}"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for database in holdpoint temporal temporal_visibility; do
  pg_dump --format=custom --exclude-table-data=cluster_membership \
    --file="$folder/$database.dump" "$database"
done
tar -cf - -C "$folder" .
