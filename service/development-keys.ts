import { readFile, writeFile } from 'node:fs/promises';
import type { ApiKey } from '../contracts/config.js';
import { developmentKeys, readKeys } from '../runtime/api-keys.js';
import { StartupError } from '../runtime/startup-error.js';

/**
 * The keys that a data folder was given when its service first started, so that agents which wait are
 * still known after the next start. The file is readable by its owner alone.
 *
 * @throws StartupError where the file holds something else
 */
export async function keptDevelopmentKeys(file: string): Promise<readonly ApiKey[]> {
  const text = await readIfThere(file);
  if (text !== undefined) return readKeys(text, file);
  const keys = developmentKeys();
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return keys;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}
