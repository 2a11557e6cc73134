#!/bin/sh
# Builds the package from the sources in the working folder. Usage: pack.sh <folder for the package>
set -eu
mkdir -p "$1"
npm ci --ignore-scripts --no-audit --no-fund
npm pack --pack-destination "$1"
