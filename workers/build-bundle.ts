import { writeFile } from 'node:fs/promises';
import { bundleSources } from './bundle-sources.js';

/** `tsx workers/build-bundle.ts <file>` writes the bundle that `HOLDPOINT_WORKFLOW_BUNDLE` names. */
const [target] = process.argv.slice(2);
if (!target) throw new Error('Name the file to write the workflow bundle to.');
const { code } = await bundleSources();
await writeFile(target, code);
