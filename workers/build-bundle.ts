import { writeFile } from 'node:fs/promises';
import { bundleSources, stampBundle } from './shipped-bundle.js';

/**
 * `tsx workers/build-bundle.ts <file> [<root>]` writes the bundle that `HOLDPOINT_WORKFLOW_BUNDLE` names. With the
 * folder of the sources it writes their hash beside the file, for workers that run from them.
 */
const [target, root] = process.argv.slice(2);
if (!target) throw new Error('Name the file to write the workflow bundle to.');
const { code } = await bundleSources();
await writeFile(target, code);
if (root) await stampBundle(target, root);
