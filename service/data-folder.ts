import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiKey } from '../contracts/api-key.js';
import {
  DEVELOPMENT_APPROVER,
  developmentApprover,
  developmentKeys,
  readKeys,
} from '../runtime/api-keys.js';
import { loadCheckpointKey, newCheckpointKey } from '../runtime/checkpoint-key.js';
import { loadIdSecrets, newIdSecret } from '../runtime/id-secrets.js';
import type { IdSecrets } from '../contracts/config.js';
import { loadLinkKeys, newLinkKey } from '../runtime/link-tokens.js';
import { StartupError } from '../runtime/program.js';
import { loadSubscriptionSecrets, newSubscriptionSecret } from '../runtime/subscription-secrets.js';
import { FolderInUseError, lockFolder } from '../runtime/folder-lock.js';

/** A data folder that this process holds until `release`, or until it ends, however it ends. */
export interface DataFolder {
  readonly root: string;
  readonly temporalFolder: string;
  readonly storeFolder: string;
  readonly bundleFile: string;
  readonly keysFile: string;
  readonly idSecretFile: string;
  readonly checkpointKeyFile: string;
  readonly linkKeyFile: string;
  readonly subscriptionSecretFile: string;
  readonly temporalPortFile: string;
  readonly release: () => Promise<void>;
}

/** Where a data folder keeps the port of its Temporal. */
export function temporalPortFileOf(root: string): string {
  return path.join(root, 'temporal-port');
}

/**
 * Makes the data folder if it is missing and claims it for this process; a claim whose process is
 * dead does not count.
 *
 * @throws StartupError if another service uses it, or it cannot be made
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
      idSecretFile: path.join(root, 'id-secret'),
      checkpointKeyFile: path.join(root, 'checkpoint-key'),
      linkKeyFile: path.join(root, 'link-key'),
      subscriptionSecretFile: path.join(root, 'subscription-secret'),
      temporalPortFile: temporalPortFileOf(root),
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
 * The keys that were made when the service of a data folder first started, so that agents which wait are
 * still known after the next start. The file is readable by its owner alone. One of before there was a second operator
 * gets that key too.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptDevelopmentKeys(file: string): Promise<readonly ApiKey[]> {
  const text = await readIfThere(file);
  const known = text === undefined ? [] : readKeys(text, { name: file, isLoopback: true });
  if (known.some(({ principal }) => principal === DEVELOPMENT_APPROVER)) return known;
  const keys = known.length === 0 ? developmentKeys() : [...known, developmentApprover()];
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  return keys;
}

/**
 * The secret that was made when the service of a data folder first started: ids that follow from the keys of
 * callers are the same after the next start. The file is readable by its owner alone.
 */
export async function keptIdSecret(file: string): Promise<IdSecrets> {
  const text = await readIfThere(file);
  const known = text === undefined ? undefined : loadIdSecrets({ HOLDPOINT_ID_SECRETS: text });
  if (known !== undefined) return known;
  const secret = newIdSecret();
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return [secret];
}

/**
 * The key that signs checkpoints, as `HOLDPOINT_CHECKPOINT_KEY` has it: made when the service of a data folder first
 * started. The file is readable by its owner alone.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptCheckpointKey(file: string): Promise<string> {
  const text = (await readIfThere(file))?.trim() ?? '';
  if (loadCheckpointKey({ HOLDPOINT_CHECKPOINT_KEY: text }) !== undefined) return text;
  const key = newCheckpointKey();
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * The key that seals the links in messages, as `HOLDPOINT_LINK_KEYS` has it: made when the service of a data folder first
 * started. The file is readable by its owner alone.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptLinkKey(file: string): Promise<string> {
  const text = (await readIfThere(file))?.trim() ?? '';
  if (loadLinkKeys({ HOLDPOINT_LINK_KEYS: text }) !== undefined) return text;
  const key = newLinkKey();
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * The secret from which those of webhook subscriptions are made, as `HOLDPOINT_SUBSCRIPTION_SECRETS` has it: made when the service of
 * a data folder first started. The file is readable by its owner alone.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptSubscriptionSecret(file: string): Promise<string> {
  const text = (await readIfThere(file))?.trim() ?? '';
  if (loadSubscriptionSecrets({ HOLDPOINT_SUBSCRIPTION_SECRETS: text }) !== undefined) return text;
  const secret = newSubscriptionSecret();
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}
