import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiKey } from '../contracts/config.js';
import { developmentKeys, readKeys } from '../runtime/api-keys.js';
import { StartupError } from '../runtime/program.js';
import { FolderInUseError, lockFolder } from '../runtime/folder-lock.js';

/** A data folder that this process holds until `release`, or until it ends, however it ends. */
export interface DataFolder {
  readonly root: string;
  readonly temporalFolder: string;
  readonly storeFolder: string;
  readonly bundleFile: string;
  readonly keysFile: string;
  readonly release: () => Promise<void>;
}

/**
 * Makes the data folder where it is missing and claims it for this process; a claim whose process is
 * dead does not count.
 *
 * @throws StartupError where another service uses it, or it cannot be made
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const root = path.resolve(folder);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(root);
    return {
      root,
      temporalFolder: path.join(root, 'temporal'),
      storeFolder: path.join(root, 'store'),
      bundleFile: path.join(root, 'workflow-bundle.js'),
      keysFile: path.join(root, 'development-keys.json'),
      release: () => lock.release(),
    };
  } catch (error) {
    if (error instanceof FolderInUseError) {
      throw new StartupError(
        `The data folder ${root} is in use by another Holdpoint: stop that one, or set another HOLDPOINT_DATA_DIR.`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`The data folder ${root} cannot be used: ${reason}`, { cause: error });
  }
}

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
