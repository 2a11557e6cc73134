import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { withoutSchemas } from './contract-types.js';

const CLIENT = path.resolve(import.meta.dirname, '..');
const ROOT = path.dirname(CLIENT);
const DIST = path.join(CLIENT, 'dist');

/** Compiles the client, and the contracts that it uses, into a folder that mirrors the sources. */
function compile(folder: string): void {
  const read = (name: string): string | undefined => ts.sys.readFile(name);
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), read) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([path.join(CLIENT, 'index.ts')], {
    ...options,
    noEmit: false,
    sourceMap: false,
    declaration: true,
    rootDir: ROOT,
    outDir: folder,
  });
  const transformers = { afterDeclarations: [withoutSchemas(program)] };
  const { diagnostics } = program.emit(undefined, undefined, undefined, false, transformers);
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(faults, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => ROOT,
      getNewLine: () => '\n',
    }),
  );
}

/** Bundles one module and one declaration file, which import only the one dependency. */
async function bundle(folder: string): Promise<void> {
  const entry = path.join(folder, 'client/index');
  const external = ['eventsource-parser'];
  const code = await rollup({ input: `${entry}.js`, external });
  await code.write({ file: path.join(DIST, 'index.js') });
  const types = await rollup({ input: `${entry}.d.ts`, external, plugins: [dts()] });
  await types.write({ file: path.join(DIST, 'index.d.ts') });
}

/** `npm run build` in this folder: makes `dist/` and the licence for publication. */
await rm(DIST, { recursive: true, force: true });
const emitted = await mkdtemp(path.join(CLIENT, '.emitted-'));
try {
  compile(emitted);
  await bundle(emitted);
} finally {
  await rm(emitted, { recursive: true, force: true });
}
await copyFile(path.join(ROOT, 'LICENSE'), path.join(CLIENT, 'LICENSE'));
