import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { withoutSchemas } from './contract-types.js';

const CLIENT = path.resolve(import.meta.dirname, '..');
const ROOT = path.dirname(CLIENT);
const DIST = path.join(CLIENT, 'dist');
/** What users import: the client, and an adapter for each framework. */
const ENTRIES = {
  index: path.join(CLIENT, 'index.ts'),
  ai: path.join(CLIENT, 'adapters/ai.ts'),
  langchain: path.join(CLIENT, 'adapters/langchain.ts'),
  claude: path.join(CLIENT, 'adapters/claude.ts'),
  mastra: path.join(CLIENT, 'adapters/mastra.ts'),
  'openai-agents': path.join(CLIENT, 'adapters/openai-agents.ts'),
};

/** Compiles the client, and the contracts that it uses, into a folder that mirrors the sources. */
function compile(folder: string): void {
  const read = (name: string): string | undefined => ts.sys.readFile(name);
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), read) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(Object.values(ENTRIES), {
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

/** Bundles a module and a declaration file for each entry. The client imports only its one dependency, an adapter only the client. */
async function bundle(folder: string): Promise<void> {
  for (const [name, source] of Object.entries(ENTRIES)) {
    const entry = path.join(folder, path.relative(ROOT, source)).replace(/\.ts$/, '');
    const client = ['.js', '.d.ts'].map((ending) => path.join(folder, `client/index${ending}`));
    const external = name === 'index' ? ['eventsource-parser'] : client;
    const paths = Object.fromEntries(client.map((file) => [file, './index.js']));
    const code = await rollup({ input: `${entry}.js`, external });
    await code.write({ file: path.join(DIST, `${name}.js`), paths });
    const types = await rollup({ input: `${entry}.d.ts`, external, plugins: [dts()] });
    await types.write({ file: path.join(DIST, `${name}.d.ts`), paths });
  }
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
