import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { TemporalConfigError, reasonOf } from './errors.js';

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
 * The address of Temporal and how to connect, from Temporal's own environment variables
 * (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`) and its configuration
 * file (`TEMPORAL_CONFIG_FILE`, `TEMPORAL_PROFILE`). Default: 127.0.0.1:7233, namespace `default`, no TLS.
 * Empty variables count as not set, except `TEMPORAL_CONFIG_FILE`, which then means no file.
 *
 * @throws TemporalConfigError `connection_settings_invalid` if a named file cannot be read, or the profile
 * does not exist
 */
export function connectionOptions(env: NodeJS.ProcessEnv = process.env): TemporalSettings {
  const { connectionOptions: found, namespace } = load(env);
  const connection: TemporalConnectionOptions = { address: found.address ?? '127.0.0.1:7233' };
  if (found.apiKey !== undefined) connection.apiKey = found.apiKey;
  if (found.tls !== undefined && found.tls !== null) connection.tls = found.tls;
  if (found.metadata !== undefined) connection.metadata = textOnly(found.metadata);
  return { connection, namespace: namespace ?? 'default' };
}

/**
 * The environment for a child process that should use the server at `address`: `env` without any setting
 * for another server, so that a foreign key or certificate is never sent.
 */
export function localServerEnv(
  env: NodeJS.ProcessEnv,
  { address, namespace }: { address: string; namespace: string },
): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'));
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
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    throw new TemporalConfigError(
      'connection_settings_invalid',
      `The settings for Temporal cannot be used: ${reasonOf(error).replace(/\s*\n\s*/g, ' ')}`,
      { cause: error },
    );
  }
}

/** Settings from the environment are text; `Metadata` also allows bytes. */
function textOnly(metadata: Record<string, string | Buffer>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, value.toString()]),
  );
}
