import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleSources } from './worker-options.js';

const ROOT = path.resolve(import.meta.dirname, '..');
/** What the SDK looks for at the end of a bundle, and refuses a bundle without. */
const SOURCE_MAP = /(\n\/\/# sourceMappingURL=data:application\/json;[^,]*,)([\w+/=]+)\s*$/;

/**
 * The bundle with a source map that tells files and lines alone: the text of the sources makes up
 * half of it, and the paths on the machine that built it are nobody's business.
 */
function slim(code: string): string {
  return code.replace(SOURCE_MAP, (_all, start: string, encoded: string) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
    const sources = map.sources.map((file) => path.relative(ROOT, file));
    const lean = JSON.stringify({ ...map, sources, sourcesContent: undefined });
    return start + Buffer.from(lean).toString('base64');
  });
}

/** `tsx workers/build-bundle.ts <file>` writes the bundle that `HOLDPOINT_WORKFLOW_BUNDLE` names. */
const [target] = process.argv.slice(2);
if (!target) throw new Error('Name the file to write the workflow bundle to.');
const { code } = await bundleSources();
await writeFile(target, slim(code));
