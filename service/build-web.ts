import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { StartupError, oneLine } from '../runtime/program.js';
import { hashOfFiles } from '../workers/shipped-bundle.js';
import { childEnv, launchNode } from './node-process.js';

/** The sources of the inbox; the lock file stands for its packages. */
const SOURCES = ['web', 'client', 'contracts', 'domain', 'package-lock.json'];
const STAMP = '.sources';
/** The files that are also stored compressed, so that the API need not do it. */
const COMPRESSIBLE = /\.(?:js|css|svg|json)$/;
const LEAST_BYTES = 1_024;
/** How many lines of vite's output an error repeats. */
const TOLD_LINES = 5;

interface WebBuild {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
  /** The checkout; the one that this program runs from by default. */
  readonly root?: string;
}

/** Returns the checkout that this program runs from; undefined for a built program, which has the inbox beside it. */
function ownCheckout(): string | undefined {
  if (!import.meta.url.endsWith('.ts')) return undefined;
  return fileURLToPath(new URL('..', import.meta.url));
}

/**
 * Builds the inbox of a checkout if its build is missing or old. It only logs a failure, because the rest works
 * without the inbox.
 */
export async function refreshInbox(build: WebBuild): Promise<void> {
  const root = build.root ?? ownCheckout();
  if (root === undefined || !existsSync(path.join(root, 'web/index.html'))) return;
  const stamp = path.join(root, 'dist/web', STAMP);
  const made = await readFile(stamp, 'utf8').catch(() => undefined);
  if (made !== undefined && made === (await hashOfFiles(root, SOURCES))) return;
  build.log(
    'The inbox: building it, because it is not built from these sources yet; usually under a minute',
  );
  const began = performance.now();
  try {
    await buildInbox({ ...build, root });
    build.log(`The inbox: done in ${Math.round((performance.now() - began) / 1_000)} s`);
  } catch (error) {
    build.signal?.throwIfAborted();
    build.log(error instanceof Error ? oneLine(error.message) : String(error));
  }
}

/**
 * Builds the inbox into `dist/web`, in another folder that is then renamed, so that nobody gets half of it.
 *
 * @throws StartupError with the last lines of vite if it fails; the signal's reason if it is aborted first
 */
export async function buildInbox(build: WebBuild & { readonly root: string }): Promise<void> {
  const { root, env, signal } = build;
  const target = path.join(root, 'dist/web');
  const made = path.join(root, 'dist', `.web-${process.pid}`);
  const sources = await hashOfFiles(root, SOURCES);
  try {
    await runVite(path.join(root, 'web'), made, env, signal);
    await compressFiles(path.join(made, 'assets'));
    await writeFile(path.join(made, STAMP), sources);
    await rm(target, { recursive: true, force: true });
    await rename(made, target).catch((error: unknown) => {
      // Another process has put its build there in the meantime.
      if (!existsSync(path.join(target, 'index.html'))) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function runVite(
  folder: string,
  target: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const place = ['--base', '/inbox/', '--outDir', target, '--emptyOutDir'];
  const args = ['build', folder, ...place, '--logLevel', 'warn'];
  const lines: string[] = [];
  const vite = launchNode({
    script: pathToFileURL(viteProgram()),
    args,
    env: childEnv(env),
    onLine: (line) => lines.push(line),
  });
  const abort = (): void => vite.signalAll('SIGKILL');
  signal?.addEventListener('abort', abort, { once: true });
  const { how } = await vite.ended;
  signal?.removeEventListener('abort', abort);
  signal?.throwIfAborted();
  if (how === 'exit code 0') return;
  const told = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const reason = oneLine(told.slice(0, TOLD_LINES).join('\n'));
  throw new StartupError(`The inbox could not be built (${how}): ${reason}`);
}

function viteProgram(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return path.join(path.dirname(resolve('vite/package.json')), 'bin/vite.js');
  } catch (error) {
    const reason = 'vite is not installed; npm ci installs it';
    throw new StartupError(`The inbox could not be built: ${reason}.`, { cause: error });
  }
}

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

async function compressFiles(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(names.map((name) => compressFile(path.join(folder, name))));
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) return;
  await writeFile(`${file}.br`, await asBrotli(content));
  await writeFile(`${file}.gz`, await asGzip(content, { level: 9 }));
}
