#!/bin/sh
# Removes what an image never uses: Temporal's core for other platforms, source maps and types.
# Usage: prune.sh <folder of the installation>
set -eu
core=$1/node_modules/@temporalio/core-bridge
own=$(uname -m)-unknown-linux-gnu
if [ ! -d "$core/releases/$own" ]; then
  echo "Temporal's core has no build for $own." >&2
  exit 1
fi
find "$core/releases" -mindepth 1 -maxdepth 1 ! -name "$own" -exec rm -r {} +
find "$1" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# What is left has to load here.
node -e 'require(process.argv[1])' "$core"
