#!/bin/sh
# Replaces the three databases by those of a backup, which it reads from standard input. Nothing changes if it fails
# before all three are there.
# Usage, beside compose.yaml, once what uses them is stopped: docker compose exec -T postgresql /deploy/restore.sh <~/backup.tar
set -eu
export PGUSER="${PGUSER:-${POSTGRES_USER:-}}" PGDATABASE=postgres
databases='holdpoint temporal temporal_visibility'
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
users=$(psql -Atc "select distinct datname from pg_stat_activity where backend_type = 'client backend'
  and datname = any(string_to_array('$databases', ' '))")
if [ -n "$users" ]; then
  echo "Stop the programs that use these databases first: $users" >&2
  exit 1
fi
tar -xf - -C "$folder"
for database in $databases; do
  dropdb --if-exists "${database}_restored"
  createdb "${database}_restored"
  pg_restore --exit-on-error --dbname="${database}_restored" "$folder/$database.dump"
done
for database in $databases; do
  dropdb --if-exists "$database"
  psql -qc "alter database ${database}_restored rename to $database"
done
