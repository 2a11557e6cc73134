import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { StartupError, oneLine } from '../runtime/program.js';
import { TemporalConfigError, reasonOf } from './errors.js';
import { Connection, type ConnectionOptions } from '@temporalio/client';

/** A host name or an address (IPv6 in brackets). The default port is 7233. */
const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[^\s:/]+)(:\d{1,5})?$/i;

const KEY_FILE = 'HOLDPOINT_TEMPORAL_API_KEY_FILE';
/** What an HTTP header can carry unchanged. */
const KEY = /^[\x21-\x7e]+$/;

/** For `Connection.connect` and `NativeConnection.connect` alike. */
export interface TemporalConnectionOptions {
  address: string;
  apiKey?: string;
  tls?: Exclude<ConnectionOptions['tls'], null | undefined>;
  metadata?: Record<string, string>;
}

export interface TemporalSettings {
  connection: TemporalConnectionOptions;
  namespace: string;
}

/**
 * Reads the address of Temporal and how to connect, from Temporal's own environment variables (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`) and its configuration file (`TEMPORAL_CONFIG_FILE`,
 * `TEMPORAL_PROFILE`); the key also from the file in `HOLDPOINT_TEMPORAL_API_KEY_FILE`, which can be replaced while a
 * process runs. Default: 127.0.0.1:7233, namespace `default`, no TLS. Empty variables count as not set, except
 * `TEMPORAL_CONFIG_FILE`, which then means no file.
 *
 * @throws TemporalConfigError `connection_settings_invalid` if a named file cannot be read or has no key, the profile
 * does not exist, or the address is not `host:port`
 */
export function connectionOptions(env: NodeJS.ProcessEnv = process.env): TemporalSettings {
  const { connectionOptions: found, namespace } = load(env);
  const { address = '127.0.0.1:7233' } = found;
  if (!HOST_AND_PORT.test(address)) {
    throw new TemporalConfigError(
      'connection_settings_invalid',
      `The address of Temporal is ${address}: it must be host:port, such as 127.0.0.1:7233.`,
    );
  }
  const connection: TemporalConnectionOptions = { address };
  if (found.apiKey !== undefined) connection.apiKey = found.apiKey;
  if (found.tls !== undefined && found.tls !== null) connection.tls = found.tls;
  if (found.metadata !== undefined) connection.metadata = textOnly(found.metadata);
  return { connection, namespace: namespace ?? 'default' };
}

/**
 * Returns `env` for a child process that uses the server at `address`, without any setting for another server, whose
 * key or certificate must not be sent.
 */
export function localServerEnv(
  env: NodeJS.ProcessEnv,
  { address, namespace }: { address: string; namespace: string },
): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(
    ([name]) => !name.startsWith('TEMPORAL_') && name !== KEY_FILE,
  );
  return {
    ...Object.fromEntries(others),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CONFIG_FILE: '',
  };
}

function load(env: NodeJS.ProcessEnv): ReturnType<typeof loadClientConnectConfig> {
  const overrideEnvVars: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value || (value === '' && name === 'TEMPORAL_CONFIG_FILE')) overrideEnvVars[name] = value;
  }
  try {
    const key = keyInFile(env);
    if (key !== undefined) overrideEnvVars['TEMPORAL_API_KEY'] = key;
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    throw new TemporalConfigError(
      'connection_settings_invalid',
      `The settings for Temporal cannot be used: ${oneLine(reasonOf(error))}`,
      { cause: error },
    );
  }
}

/** Reads the key from its file. The errors do not repeat the key. */
function keyInFile(env: NodeJS.ProcessEnv): string | undefined {
  const file = env[KEY_FILE];
  if (!file) return undefined;
  if (env['TEMPORAL_API_KEY']) throw new Error(`set either TEMPORAL_API_KEY or ${KEY_FILE}`);
  const key = readFileSync(path.resolve(file), 'utf8').trim();
  if (KEY.test(key)) return key;
  throw new Error(`${KEY_FILE} ${file} must hold a key: characters of ASCII in one line`);
}

/** Settings from the environment are text; `Metadata` also allows bytes. */
function textOnly(metadata: Record<string, string | Buffer>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, value.toString()]),
  );
}

/**
 * Connects a program to Temporal that does one thing and ends.
 * @throws StartupError if Temporal does not answer
 */
export async function connectOnce(options: TemporalConnectionOptions): Promise<Connection> {
  try {
    return await Connection.connect(options);
  } catch (error) {
    throw new StartupError(`Temporal at ${options.address} is away: ${oneLine(reasonOf(error))}`);
  }
}

/**
 * Waits for the work of such a program.
 *
 * @param what - the name of the work for the error, for example "The check"
 * @throws StartupError with the reason if the work fails
 */
export async function saidIfCut<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartupError(`${what} was cut off: ${oneLine(reasonOf(error))}`, { cause: error });
  }
}
