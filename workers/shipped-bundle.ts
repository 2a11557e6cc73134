import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../runtime/program.js';
import { DefaultLogger, bundleWorkflowCode, type BundleOptions } from '@temporalio/worker';

/** The sources of the workflow code; the lock file represents their packages. */
export const BUNDLE_SOURCES = ['workflows', 'domain', 'contracts', 'workers/shipped-bundle.ts'];
const LOCK_FILE = 'package-lock.json';
const BUNDLE = 'workflow-bundle.js';
const STAMP = 'workflow-bundle.sources';

/**
 * Returns the workflow bundle that a worker starts from: the file that `HOLDPOINT_WORKFLOW_BUNDLE` names, else the
 * one that `npm run build` made; undefined if the sources have to be bundled.
 *
 * @param log - gets a line if there is a build that is out of date
 * @throws StartupError if the named file does not exist
 */
export async function bundleFile(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<string | undefined> {
  const named = env['HOLDPOINT_WORKFLOW_BUNDLE'];
  if (!named) return shippedBundle(log);
  if (existsSync(named)) return named;
  throw new StartupError(`HOLDPOINT_WORKFLOW_BUNDLE ${named}: there is no such file.`);
}

/** Returns the bundle of the build. A program that runs from the sources uses it only if it was made from these. */
async function shippedBundle(log: (line: string) => void): Promise<string | undefined> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (import.meta.url.endsWith('.ts')) return currentBundle(root, log);
  const file = path.join(root, BUNDLE);
  return existsSync(file) ? file : undefined;
}

/** Returns the bundle in `dist` of a checkout, if it was made of the sources of that checkout. */
export async function currentBundle(
  root: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  const file = path.join(root, 'dist', BUNDLE);
  if (!existsSync(file)) return undefined;
  const stamp = await readFile(path.join(root, 'dist', STAMP), 'utf8').catch(() => undefined);
  if (stamp === (await hashOfFiles(root, [...BUNDLE_SOURCES, LOCK_FILE]))) return file;
  log(`dist/${BUNDLE} is not made of these sources, which are bundled now: npm run build`);
  return undefined;
}

export async function stampBundle(bundle: string, root: string): Promise<void> {
  const stamp = await hashOfFiles(root, [...BUNDLE_SOURCES, LOCK_FILE]);
  await writeFile(path.join(path.dirname(bundle), STAMP), stamp);
}

/** Hashes files, and all files in folders, with their names relative to `root`. */
export async function hashOfFiles(root: string, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const files = await Promise.all(sources.map((source) => filesOf(path.join(root, source))));
  for (const file of files.flat().sort()) {
    hash.update(`${path.relative(root, file)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Folders in which nothing is a source. */
const MADE = /(?:^|[\\/])(?:node_modules|dist)(?:[\\/]|$)/;

async function filesOf(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile() && !MADE.test(path.relative(place, each.parentPath)))
    .map((each) => path.join(each.parentPath, each.name));
}

const ROOT = path.resolve(import.meta.dirname, '..');
/** As in tsconfig.json. */
const TARGET = 'es2022';
/** The end of a bundle that the SDK demands. */
const SOURCE_MAP = /(\n\/\/# sourceMappingURL=data:application\/json;[^,]*,)([\w+/=]+)\s*$/;

/**
 * Bundles `workflows/` from its sources.
 *
 * @param interceptors - files with interceptors of workflows, besides our own
 */
export async function bundleSources(
  interceptors: readonly string[] = [],
): Promise<{ code: string }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = (name: string): string =>
    fileURLToPath(new URL(`../workflows/${name}.${extension}`, import.meta.url));
  const own = [file('engine/query-guard'), file('engine/tracing')];
  const { code } = await bundleWorkflowCode({
    workflowsPath: file('index'),
    workflowInterceptorModules: [...own, ...interceptors],
    // Loaded once for all workflows of a worker: no module of ours keeps state of its own (docs/adr/0058).
    preloadModules: [file('index'), ...own],
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: asNodeRunsIt,
  });
  return { code: slim(code) };
}

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

interface Compiling {
  readonly use: { readonly options: { readonly jsc: { target: string } } };
}

/** Compiles TypeScript sources to the target of a build, so that tests run what a build runs. The SDK would compile to ES2017. */
export function asNodeRunsIt(config: WebpackConfig): WebpackConfig {
  const rules = config.module?.rules as readonly Partial<Compiling>[] | undefined;
  const compiling = rules?.filter((rule): rule is Compiling => 'jsc' in (rule.use?.options ?? {}));
  if (compiling?.length !== 1) throw new Error('The SDK bundles TypeScript in another way now.');
  for (const { use } of compiling) use.options.jsc.target = TARGET;
  return config;
}

/**
 * Reduces the source map of a bundle to files and lines: the sources' text is half of it, and paths of the machine
 * are private.
 */
export function slim(code: string): string {
  return code.replace(SOURCE_MAP, (_all, start: string, encoded: string) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
    const sources = map.sources.map((file) => path.relative(ROOT, file));
    const lean = JSON.stringify({ ...map, sources, sourcesContent: undefined });
    return start + Buffer.from(lean).toString('base64');
  });
}
