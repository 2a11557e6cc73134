import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadKeys } from '../runtime/api-keys.js';
import type { ConfiguredKeys } from '../runtime/api-keys.js';
import { clientSecretVariables } from '../runtime/browser-sign-in.js';
import { databaseUrl, loadConfig, wantsStackTraces, wantsVersioning } from '../runtime/config.js';
import {
  apiVariables,
  secretVariables,
  withApiSecrets,
  withSecrets,
} from '../runtime/config-secrets.js';
import { loadCheckpointKey } from '../runtime/checkpoint-key.js';
import { loadIdSecrets } from '../runtime/id-secrets.js';
import { loadLinkKeys } from '../runtime/link-tokens.js';
import { loadSubscriptionSecrets } from '../runtime/subscription-secrets.js';
import { unknownVariables } from '../runtime/unknown-variables.js';
import { pageAddressOf } from '../runtime/metrics/page-server.js';
import { traceEndpointOf } from '../runtime/tracing/start.js';
import type { IdSecrets } from '../contracts/config.js';
import { connectionOptions } from '../temporal-config/connection.js';
import type { TemporalSettings } from '../temporal-config/connection.js';

/** What the environment asks for, checked before anything is started. */
export interface ServiceSettings {
  /** Undefined if none are configured. */
  readonly keys: ConfiguredKeys | undefined;
  /** Undefined if none are configured. */
  readonly idSecrets: IdSecrets | undefined;
  /** As the variable has it, once it was looked at. */
  readonly checkpointKey: string | undefined;
  /** The same of the keys of links. */
  readonly linkKeys: string | undefined;
  /** The secrets of subscriptions, where the environment has them. */
  readonly subscriptionSecrets: string | undefined;
  /** Whether the configuration names secrets of subscriptions, so that none are made. */
  readonly namesSubscriptionSecrets: boolean;
  /** Where people reach the API, if the configuration says so. */
  readonly publicUrl: string | undefined;
  /** Absolute path of the configuration file; undefined if there is none. */
  readonly configFile: string | undefined;
  /** Absolute path of the module with payload codecs; undefined if there is none. */
  readonly dataConverter: string | undefined;
  /** The Temporal server to use; undefined if a dev server is to be started. */
  readonly temporal: TemporalSettings | undefined;
  /** The database to use; undefined if the embedded store is to be started. */
  readonly databaseUrl: string | undefined;
  /** Whether workers are versioned. */
  readonly versioning: boolean;
  /** The environment variables that hold secrets of channels. */
  readonly channelEnv: NodeJS.ProcessEnv;
  /** Those that the API needs. */
  readonly apiEnv: NodeJS.ProcessEnv;
  /** What somebody has set without effect, a line each. */
  readonly warnings: readonly string[];
}

/**
 * Reads and checks the settings; `cwd` is where the default configuration file may lie.
 *
 * @throws StartupError or TemporalConfigError whose message says in one line what cannot be used
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): ServiceSettings {
  const config = loadConfig(env, cwd);
  withSecrets(config, env);
  withApiSecrets(config, env);
  wantsStackTraces(env);
  for (const name of ['HOLDPOINT_API_METRICS', 'HOLDPOINT_WORKER_METRICS'])
    pageAddressOf(env, name);
  traceEndpointOf(env);
  return {
    keys: loadKeys(env, cwd, true),
    idSecrets: loadIdSecrets(env),
    checkpointKey: loadCheckpointKey(env) && env['HOLDPOINT_CHECKPOINT_KEY'],
    linkKeys: loadLinkKeys(env) && env['HOLDPOINT_LINK_KEYS'],
    subscriptionSecrets: loadSubscriptionSecrets(env)?.join(','),
    namesSubscriptionSecrets: config.subscriptions.secrets !== undefined,
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

/** What points a service at somebody's data, keys or servers. */
const OWN_SETTINGS =
  /^(HOLDPOINT_(API_KEYS|API_KEYS_FILE|API_METRICS|CHECKPOINT_KEY|CONFIG|DATA_CONVERTER|DATA_DIR|ID_SECRETS|LINK_KEYS|PUBLIC_URL|STATE_KEYS|SUBSCRIPTION_SECRETS|TEMPORAL_UI|TRUSTED_PROXIES|WORKER_METRICS|WORKFLOW_BUNDLE)|DATABASE_URL|PORT|HOST|OTEL_\w+|TEMPORAL_(?!CLI_PATH$)\w+)$/;

/** An environment without its ties, for a stack that must touch nothing of yours: a demo, a bench, a test. */
export function isolatedEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_SETTINGS.test(name)));
}
