import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { cyclesIn } from './cycles.js';

const SOURCE = /(?<!\.d)\.tsx?$/;
/** Folders that hold no sources of the project, such as break rules on purpose, or such as import what pages show. */
const ELSEWHERE = [
  'node_modules',
  'dist',
  '.holdpoint',
  '.cache',
  'fixtures',
  'histories',
  'agents',
];

/** The TypeScript sources in a folder, as absolute paths. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return ELSEWHERE.includes(entry.name) || entry.name.startsWith('.emitted-')
        ? []
        : sourcesIn(name);
    }
    return SOURCE.test(entry.name) ? [name] : [];
  });
}

/**
 * Finds the sources of a folder that import each other in a circle when they run: an import of a type is none, one
 * that comes later (`import()`) is.
 *
 * @returns the circles, each as paths from the folder
 */
export async function importCycles(folder: string): Promise<readonly (readonly string[])[]> {
  const everything = sourcesIn(folder).map((file) => `import ${JSON.stringify(file)};`);
  const { metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: everything.join('\n'), resolveDir: folder },
    outfile: path.join(folder, 'none.js'),
    write: false,
    metafile: true,
    bundle: true,
    treeShaking: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    loader: { '.css': 'empty', '.html': 'empty', '.svg': 'empty' },
  });
  const graph = Object.entries(metafile.inputs).map(
    ([name, { imports }]) => [name, imports.map((one) => one.path)] as const,
  );
  return cyclesIn(new Map(graph)).map((cycle) => [...cycle].sort());
}
