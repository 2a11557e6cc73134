import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../runtime/program.js';

/** The sources of the workflow code; the lock file stands for the packages in it. */
export const BUNDLE_SOURCES = ['workflows', 'domain', 'contracts', 'workers/bundle-sources.ts'];
const LOCK_FILE = 'package-lock.json';
const BUNDLE = 'workflow-bundle.js';
/** The file beside the bundle with the hash of its sources. */
const STAMP = 'workflow-bundle.sources';

/**
 * Returns the workflow bundle that a worker starts from: the file that `HOLDPOINT_WORKFLOW_BUNDLE` names, else the one that
 * `npm run build` made; undefined if the sources have to be bundled.
 *
 * @param log - told in a line if there is a build that is out of date
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

/** Returns the bundle of the build. A program that runs from the sources takes it only if it was made of these sources. */
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

/** Writes the hash of its sources beside a bundle. */
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
