import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FolderInUseError, lockFolder, type FolderLock } from '../../runtime/folder-lock.js';

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs Python packages from PyPI into a virtual environment of their own, once for each set of pinned versions.
 *
 * @param requirements - a file with lines `name==version`
 * @param command - a program that is there once all is
 * @returns the path of that program
 * @throws Error where Python 3.10 or later with venv is missing
 */
export async function installPinned(requirements: string, command: string): Promise<string> {
  const pinned = (await readFile(requirements, 'utf8')).trim();
  const [name = '', version = ''] = pinned.includes('\n')
    ? [path.basename(path.dirname(requirements)), createHash('sha256').update(pinned).digest('hex')]
    : pinned.split('==');
  const folder = path.join(CACHE, name, `${name}-${version.slice(0, 12)}`);
  const installed = path.join(folder, 'installed');
  const program = path.join(folder, 'bin', command);
  if (existsSync(installed)) return program;
  // Two lanes may want the same packages.
  const lock = await whenFree(path.dirname(folder));
  const run = promisify(execFile);
  try {
    if (existsSync(installed)) return program;
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(path.join(folder, 'bin/pip'), ['install', '--quiet', '--requirement', requirements]);
    await run(path.join(folder, 'bin/python'), ['-c', `open(${JSON.stringify(installed)}, 'w')`]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
  return program;
}

const LOOK_MS = 500;

/** Claims a folder as soon as no other process has it. */
async function whenFree(folder: string): Promise<FolderLock> {
  for (;;) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      await pause(LOOK_MS);
    }
  }
}
