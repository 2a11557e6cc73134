import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KEYS_FILE, SERVICE_FILE, type LocalService } from '../cli/local-service.js';
import type { ApiKey } from '../contracts/people/api-key.js';
import { developmentKeys, readKeys } from '../runtime/api-keys.js';
import { loadCheckpointKey } from '../runtime/checkpoint-key.js';
import { loadLinkKeys } from '../runtime/link-tokens.js';
import {
  loadIdSecrets,
  loadSubscriptionSecrets,
  newIdSecret,
  newKey,
  newSubscriptionSecret,
} from '../runtime/own-secrets.js';
import { StartupError, type Environment } from '../runtime/program.js';
import { loadPushKeys, newPushKey } from '../runtime/push-keys.js';
import { FolderInUseError, lockFolder } from '../runtime/folder-lock.js';

/** A data folder that this process holds until `release`, or until the process ends. */
export interface DataFolder {
  readonly root: string;
  readonly temporalFolder: string;
  readonly storeFolder: string;
  readonly bundleFile: string;
  readonly keysFile: string;
  readonly portsFile: string;
  readonly serviceFile: string;
  readonly release: () => Promise<void>;
}

/**
 * Creates the data folder if it is missing, and claims it for this process. The claim of a dead process does not count.
 *
 * @throws StartupError if another service uses it, or it cannot be made
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const root = path.resolve(folder);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(root);
    await keepOutOfGit(root);
    const serviceFile = path.join(root, SERVICE_FILE);
    // A killed service has not removed its file, and this one takes no requests yet.
    await rm(serviceFile, { force: true });
    return {
      root,
      temporalFolder: path.join(root, 'temporal'),
      storeFolder: path.join(root, 'store'),
      bundleFile: path.join(root, 'workflow-bundle.js'),
      keysFile: path.join(root, KEYS_FILE),
      portsFile: path.join(root, 'ports.json'),
      serviceFile,
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
 * Returns the development keys of a data folder, made at its first start and kept, so that waiting agents are still
 * known later. Only the owner can read the file.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptDevelopmentKeys(file: string): Promise<readonly ApiKey[]> {
  const text = await readIfThere(file);
  const known = text === undefined ? [] : readKeys(text, { name: file, isLoopback: true });
  if (known.length > 0) return known;
  const keys = developmentKeys();
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  return keys;
}

/** Writes the file by which commands in the same folder find the running service. Only the owner can read it. */
export async function tellService(
  { serviceFile }: Pick<DataFolder, 'serviceFile'>,
  service: LocalService,
): Promise<void> {
  // An existing file would keep its permissions.
  await rm(serviceFile, { force: true });
  await writeFile(serviceFile, `${JSON.stringify(service)}\n`, { mode: 0o600 });
}

/** The secrets of a service. A data folder keeps each in a file, in the form of its environment variable. */
const SECRETS = {
  HOLDPOINT_ID_SECRETS: { name: 'id-secret', load: loadIdSecrets, make: newIdSecret },
  HOLDPOINT_CHECKPOINT_KEY: { name: 'checkpoint-key', load: loadCheckpointKey, make: newKey },
  HOLDPOINT_LINK_KEYS: { name: 'link-key', load: loadLinkKeys, make: newKey },
  HOLDPOINT_PUSH_KEYS: { name: 'push-key', load: loadPushKeys, make: newPushKey },
  HOLDPOINT_SUBSCRIPTION_SECRETS: {
    name: 'subscription-secret',
    load: loadSubscriptionSecrets,
    make: newSubscriptionSecret,
  },
};

export type SecretVariable = keyof typeof SECRETS;

export const SECRET_VARIABLES = Object.keys(SECRETS) as readonly SecretVariable[];

export type Secrets = Readonly<Partial<Record<SecretVariable, string | undefined>>>;

/** Makes each of them anew, for an installation that has them in its environment. */
export function newSecrets(): Readonly<Record<SecretVariable, string>> {
  const made = SECRET_VARIABLES.map((name) => [name, SECRETS[name].make()]);
  return Object.fromEntries(made) as Record<SecretVariable, string>;
}

/**
 * Returns the value of a variable; undefined if it is not set.
 *
 * @throws StartupError if it is no such secret
 */
export function givenSecret(env: Environment, variable: SecretVariable): string | undefined {
  return SECRETS[variable].load(env) && env[variable];
}

/**
 * Returns a secret that a data folder keeps, made at its first start. Only the owner can read the file.
 *
 * @throws StartupError if the file holds something else
 */
export async function keptSecret(root: string, variable: SecretVariable): Promise<string> {
  const { name, load, make } = SECRETS[variable];
  const file = path.join(root, name);
  const text = (await readIfThere(file))?.trim() ?? '';
  if (load({ [variable]: text }) !== undefined) return text;
  const secret = make();
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** Keeps the folder out of git: it has keys and secrets, and is often inside a repository. */
async function keepOutOfGit(root: string): Promise<void> {
  try {
    await writeFile(path.join(root, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}
