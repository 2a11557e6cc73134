import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder, waitForFolder } from '../../runtime/folder-lock.js';
import { hashOfFiles } from '../../workers/shipped-bundle.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/holdpoint-tests');
/** A run that began before an entry fell out of use may still read it. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/**
 * What tests need built from our sources, such as the workflow bundle: made once for each content of the
 * sources and of the lock file, by whichever process asks first, and kept for the next run.
 *
 * @param name - tells the builds apart; `.js` at its end where the build is one file
 * @param sources - files and folders, relative to the repository, that the build is made of
 * @param make - writes the build to the path that it is given
 * @returns the path of the build, a file or a folder, which nobody may change
 */
export async function cachedBuild(
  name: string,
  sources: readonly string[],
  make: (target: string) => Promise<void>,
): Promise<string> {
  const { name: stem, ext } = path.parse(name);
  const all = await hashOfFiles(ROOT, [...sources, 'package-lock.json']);
  const hash = all.slice(0, 16);
  const target = path.join(CACHE, `${stem}-${hash}${ext}`);
  if (existsSync(target)) return target;
  await mkdir(CACHE, { recursive: true });
  const lock = await waitForFolder(() => lockFolder(CACHE, path.basename(target)), {
    patienceMs: Infinity,
  });
  try {
    if (existsSync(target)) return target;
    const unfinished = `${target}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await make(unfinished);
    await rename(unfinished, target);
    await removeOld(stem);
  } finally {
    await lock.release();
  }
  return target;
}

async function removeOld(stem: string): Promise<void> {
  for (const entry of await readdir(CACHE)) {
    const file = path.join(CACHE, entry);
    const isOurs = entry.startsWith(`${stem}-`);
    if (isOurs && Date.now() - (await stat(file)).mtimeMs > KEPT_MS) {
      await rm(file, { recursive: true, force: true });
    }
  }
}
