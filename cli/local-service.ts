import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiKey, Role } from '../contracts/people/api-key.js';

/** The file in the data folder of `npm start` by which commands find the service that runs there. */
export const SERVICE_FILE = 'service.json';
export const KEYS_FILE = 'development-keys.json';

/** What a running service writes about itself into its data folder. */
export interface LocalService {
  readonly url: string;
  /** The embedded store; absent if the service has another database. */
  readonly database_url?: string;
  /** Whether it knows the folder's keys for development, and no others. */
  readonly keys_are_made: boolean;
}

/** The running service of a data folder, with its keys for development, if it has these. */
export interface FoundService extends LocalService {
  readonly folder: string;
  readonly keys: readonly Pick<ApiKey, 'key' | 'principal' | 'roles'>[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the data folder of a service that runs in this working folder. */
export function dataFolderOf(env: Env, cwd: string): string {
  return path.resolve(cwd, env['HOLDPOINT_DATA_DIR'] || '.holdpoint');
}

/**
 * Finds the service that runs in the data folder of this working folder. Only an address on loopback counts, so that
 * somebody else's folder leads to no other machine.
 */
export async function localService(env: Env, cwd: string): Promise<FoundService | undefined> {
  const folder = dataFolderOf(env, cwd);
  const service = await jsonIn(path.join(folder, SERVICE_FILE));
  if (!isService(service)) return undefined;
  const keys = service.keys_are_made ? await jsonIn(path.join(folder, KEYS_FILE)) : [];
  return { ...service, folder, keys: Array.isArray(keys) ? keys.filter(isKey) : [] };
}

/** Returns the key for development that has a role; of two operators the first. */
export function keyOf({ keys }: Pick<FoundService, 'keys'>, role: Role): string | undefined {
  return keys.find(({ roles }) => roles.includes(role))?.key;
}

/** Returns the text about a service that has its data folder, but takes no requests yet. */
export function stillStarting(folder: string): string {
  return `The service with the data folder ${folder} is still starting, or about to stop: try again once it prints its address`;
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

function isService(content: unknown): content is LocalService {
  if (typeof content !== 'object' || content === null) return false;
  const { url, keys_are_made } = content as Partial<Record<keyof LocalService, unknown>>;
  return typeof url === 'string' && LOOPBACK.test(url) && typeof keys_are_made === 'boolean';
}

function isKey(entry: unknown): entry is FoundService['keys'][number] {
  if (typeof entry !== 'object' || entry === null) return false;
  const { key, principal, roles } = entry as Partial<Record<keyof ApiKey, unknown>>;
  return typeof key === 'string' && typeof principal === 'string' && Array.isArray(roles);
}
