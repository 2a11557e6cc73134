#!/bin/sh
# Installs the package with the versions of the lock file, and gives it its commands.
# Usage: install.sh <folder of the package> <folder of the sources> <folder of the installation>
set -eu
package=$(find "$1" -name 'holdpoint-*.tgz')
mkdir -p "$3/bin"
tar -xzf "$package" -C "$3" --strip-components=1 --no-same-owner
cp "$2/package-lock.json" "$2/.npmrc" "$3"
cp "$2/deploy/image/health.mjs" "$2/deploy/image/remove-drained.mjs" "$3/bin"
(cd "$3" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund)
chmod a+x "$3/dist/service/cli.js"
ln -s ../dist/service/cli.js "$3/bin/holdpoint"
# Temporal's core wants a file of the authorities that it trusts, which a slim base does not have. Node brings its own list.
node -p 'require("tls").rootCertificates.join("\n")' >"$3/certificates.pem"
