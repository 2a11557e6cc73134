import { apiVariables, secretVariables } from './config-secrets.js';
import { clientSecretVariables } from './browser-sign-in.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { nearestName } from '../contracts/constants/command-name.js';
import type { Environment } from './program.js';

const PREFIX = 'HOLDPOINT_';

const OWN: readonly string[] = [
  'API_KEY',
  'API_KEYS',
  'API_KEYS_FILE',
  'API_METRICS',
  'CACHE_DIR',
  'CHECKPOINT_KEY',
  'COMMAND',
  'CONFIG',
  'DATA_CONVERTER',
  'DATA_DIR',
  'ID_SECRETS',
  'LINK_KEYS',
  'PUBLIC_URL',
  'PUSH_KEYS',
  'STACK_TRACES',
  'STATE_KEYS',
  'STOP_NOTICE_SECONDS',
  'SUBSCRIPTION_SECRETS',
  'TEMPORAL_API_KEY_FILE',
  'TEMPORAL_PORT',
  'TEMPORAL_UI',
  'TRUSTED_PROXIES',
  'URL',
  'WORKER_METRICS',
  'WORKER_VERSIONING',
  'WORKFLOW_BUNDLE',
];

/** Other variables, which somebody may write with the prefix by mistake. */
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

const OF_TESTS = /^HOLDPOINT_(?:TEST_|CHAOS_|RUN_LOGS$)/;

/** Variables that Kubernetes sets in each container for a Service with our name. */
const OF_SERVICES = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_.*)?$/;
/** The value that distinguishes such a variable from a port that somebody wants to set. */
const OF_SERVICE_PORT = /^(?:tcp|udp|sctp):\/\//;

function isOfService(name: string, value = ''): boolean {
  return OF_SERVICES.test(name) || (name.endsWith('_PORT') && OF_SERVICE_PORT.test(value));
}

/**
 * Returns a warning for each prefixed variable without effect, with the likely intended one, but without values. It
 * is no error, because other programs or versions may share the environment.
 */
export function unknownVariables(env: Environment, config: ServerConfig): readonly string[] {
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
  const nearest = nearestName(rest, [...OWN, ...OTHERS]);
  return nearest !== undefined && OWN.includes(nearest) ? `${PREFIX}${nearest}` : nearest;
}
