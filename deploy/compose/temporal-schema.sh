#!/bin/sh
# Makes the databases of Temporal, or brings them up to date. Each step leaves alone what is there.
set -eu
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%:*}
  temporal-sql-tool --db "$database" create-database
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema --schema-name "postgresql/v12/${pair#*:}"
done
