import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadKeys, type ConfiguredKeys } from '../runtime/api-keys.js';
import { clientSecretVariables } from '../runtime/browser-sign-in.js';
import { databaseUrl, loadConfig, wantsStackTraces, wantsVersioning } from '../runtime/config.js';
import {
  apiVariables,
  secretVariables,
  withApiSecrets,
  withSecrets,
} from '../runtime/config-secrets.js';
import { demandPackage } from '../runtime/optional-package.js';
import { unknownVariables } from '../runtime/unknown-variables.js';
import { pageAddressOf } from '../runtime/metrics/page-server.js';
import { traceEndpointOf } from '../runtime/tracing/start.js';
import { connectionOptions, type TemporalSettings } from '../temporal-config/connection.js';
import { SECRET_VARIABLES, givenSecret, type SecretVariable, type Secrets } from './data-folder.js';

export interface ServiceSettings {
  /** Undefined if none are configured. */
  readonly keys: ConfiguredKeys | undefined;
  /** The secrets that the environment sets. */
  readonly secrets: Secrets;
  /** The secrets that the data folder has to keep, because nothing else sets them. */
  readonly unset: readonly SecretVariable[];
  readonly publicUrl: string | undefined;
  /** Absolute path of the configuration file; undefined if there is none. */
  readonly configFile: string | undefined;
  readonly dataConverter: string | undefined;
  /** The Temporal server to use; undefined if a dev server is to be started. */
  readonly temporal: TemporalSettings | undefined;
  /** The database to use; undefined if the embedded store is to be started. */
  readonly databaseUrl: string | undefined;
  readonly versioning: boolean;
  /** The environment variables with secrets that the worker needs. */
  readonly channelEnv: NodeJS.ProcessEnv;
  /** The environment variables with secrets that the API needs. */
  readonly apiEnv: NodeJS.ProcessEnv;
  /** A line for each variable that is set without effect. */
  readonly warnings: readonly string[];
}

/**
 * Reads and checks the settings. `cwd` is the folder of the default configuration file.
 *
 * @throws StartupError or TemporalConfigError that says in one line which setting cannot be used
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): ServiceSettings {
  const config = loadConfig(env, cwd);
  withSecrets(config, env);
  withApiSecrets(config, env);
  wantsStackTraces(env);
  for (const name of ['HOLDPOINT_API_METRICS', 'HOLDPOINT_WORKER_METRICS'])
    pageAddressOf(env, name);
  traceEndpointOf(env);
  if (!isSet(env['DATABASE_URL']))
    demandPackage('@electric-sql/pglite', 'The embedded store (no DATABASE_URL)');
  const wanted = SECRET_VARIABLES.filter(
    (name) =>
      name !== 'HOLDPOINT_SUBSCRIPTION_SECRETS' || config.subscriptions.secrets === undefined,
  );
  const keys = loadKeys(env, cwd, true);
  const secrets: Secrets = Object.fromEntries(wanted.map((name) => [name, givenSecret(env, name)]));
  return {
    keys,
    secrets,
    unset: wanted.filter((name) => secrets[name] === undefined),
    publicUrl: config.public_url,
    configFile: configFile(env, cwd),
    dataConverter: dataConverter(env, cwd),
    temporal: isSet(env['TEMPORAL_ADDRESS']) ? connectionOptions(env) : undefined,
    databaseUrl: isSet(env['DATABASE_URL']) ? databaseUrl(env) : undefined,
    versioning: wantsVersioning(env),
    channelEnv: picked(env, secretVariables(config)),
    apiEnv: picked(env, [...apiVariables(config), ...clientSecretVariables(config)]),
    warnings: unknownVariables(env, config),
  };
}

function picked(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

function dataConverter(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const named = env['HOLDPOINT_DATA_CONVERTER'];
  return isSet(named) ? path.resolve(cwd, named) : undefined;
}

function configFile(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const named = env['HOLDPOINT_CONFIG'];
  if (isSet(named)) return path.resolve(cwd, named);
  const usual = path.resolve(cwd, 'openintent.yaml');
  return existsSync(usual) ? usual : undefined;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** The variables that lead a service to somebody's data, keys or servers. */
const OWN_SETTINGS =
  /^(HOLDPOINT_(API_KEYS|API_KEYS_FILE|API_METRICS|CHECKPOINT_KEY|CONFIG|DATA_CONVERTER|DATA_DIR|ID_SECRETS|LINK_KEYS|PUBLIC_URL|PUSH_KEYS|STATE_KEYS|SUBSCRIPTION_SECRETS|TEMPORAL_API_KEY_FILE|TEMPORAL_PORT|TEMPORAL_UI|TRUSTED_PROXIES|WORKER_METRICS|WORKFLOW_BUNDLE)|DATABASE_URL|PORT|HOST|OTEL_\w+|TEMPORAL_(?!CLI_PATH$)\w+)$/;

/** Returns an environment without these, for a demo, a benchmark or a test, which must not touch your data. */
export function isolatedEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_SETTINGS.test(name)));
}
