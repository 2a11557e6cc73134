import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { FAULTS, compiledTree } from './compile.mjs';

/*
 * Lets mocha load TypeScript: in the place of a source it gets the compiled one. That imports others as JavaScript
 * does, so no loader stands between.
 */
const root = path.resolve(import.meta.dirname, '../..');
const tree = compiledTree(root);
process.stderr.write(readFileSync(path.join(tree, FAULTS)));
// Node warns nobody of `require` for modules below `node_modules`.
const require = createRequire(path.join(tree, 'package.json'));

require.extensions['.ts'] = (module, file) => {
  module.exports = require(path.join(tree, path.relative(root, file).replace(/\.ts$/, '.js')));
};
