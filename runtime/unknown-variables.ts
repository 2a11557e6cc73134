import { apiVariables, secretVariables } from './config-secrets.js';
import { clientSecretVariables } from './browser-sign-in.js';
import type { ServerConfig } from '../contracts/config.js';
import { nearestName } from '../contracts/constants/nearest-name.js';

const PREFIX = 'HOLDPOINT_';

/** Every variable of ours that a program reads, without the prefix. */
const OWN: readonly string[] = [
  'API_KEY',
  'API_KEYS',
  'API_KEYS_FILE',
  'API_METRICS',
  'CACHE_DIR',
  'CHECKPOINT_KEY',
  'CONFIG',
  'DATA_CONVERTER',
  'DATA_DIR',
  'ID_SECRETS',
  'LINK_KEYS',
  'PUBLIC_URL',
  'STACK_TRACES',
  'STATE_KEYS',
  'STOP_NOTICE_SECONDS',
  'SUBSCRIPTION_SECRETS',
  'TEMPORAL_UI',
  'TRUSTED_PROXIES',
  'URL',
  'WORKER_METRICS',
  'WORKER_VERSIONING',
  'WORKFLOW_BUNDLE',
];

/** Those without our prefix, with which somebody may write them nevertheless. */
const OTHERS: readonly string[] = [
  'DATABASE_URL',
  'HOST',
  'PORT',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_API_KEY',
  'TEMPORAL_CLI_PATH',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_PROFILE',
];

/** What our own tests read, and a run of them hands down. */
const OF_TESTS = /^HOLDPOINT_(?:TEST_|CHAOS_|RUN_LOGS$)/;

/** What Kubernetes puts into each container for a Service that is named as we are. */
const OF_SERVICES = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_.*)?$/;
/** The value by which one of these is told from a port that somebody wants to set. */
const OF_SERVICE_PORT = /^(?:tcp|udp|sctp):\/\//;

function isOfService(name: string, value = ''): boolean {
  return OF_SERVICES.test(name) || (name.endsWith('_PORT') && OF_SERVICE_PORT.test(value));
}

/**
 * A warning for each variable that looks like ours and has no effect, with the one that was probably meant. Its value is not
 * shown. Other programs may share the environment, and so may another version of this one, so it is no error.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  config: ServerConfig,
): readonly string[] {
  const named = new Set([
    ...OWN.map((name) => `${PREFIX}${name}`),
    ...secretVariables(config),
    ...apiVariables(config),
    ...clientSecretVariables(config),
  ]);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !named.has(name) && !OF_TESTS.test(name))
    .filter((name) => !isOfService(name, env[name]))
    .sort()
    .map(warningOf);
}

function warningOf(name: string): string {
  const meant = meantBy(name.slice(PREFIX.length));
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${name} is no setting of Holdpoint, and has no effect.${hint}`;
}

function meantBy(rest: string): string | undefined {
  if (OTHERS.includes(rest)) return rest;
  const own = nearestName(rest, OWN);
  return own === undefined ? nearestName(rest, OTHERS) : `${PREFIX}${own}`;
}
