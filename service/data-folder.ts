import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '../runtime/startup-error.js';
import { FolderInUseError, lockFolder } from '../store/folder-lock.js';

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
