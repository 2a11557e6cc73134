import { VERSION } from '../../contracts/constants/names.js';
import type { Binding } from '../http/route.js';
import { discover, serverConfig, PROTOCOL_VERSION } from '../usecases/server/about.js';
import { openIntentRoute } from './route.js';

/** The RFCs that this server implements, in full or in part. */
const RFCS: Readonly<Record<string, 'full' | 'partial'>> = {
  'RFC-0001': 'full',
  'RFC-0002': 'full',
  'RFC-0003': 'partial',
  'RFC-0006': 'full',
  'RFC-0007': 'full',
  'RFC-0010': 'partial',
  'RFC-0011': 'partial',
  'RFC-0012': 'partial',
  'RFC-0013': 'partial',
  'RFC-0016': 'partial',
  'RFC-0019': 'partial',
  'RFC-0024': 'partial',
  'RFC-0025': 'full',
  'RFC-0026': 'full',
};
const CAPABILITIES = [
  'intents',
  'events',
  'state-patches',
  'optimistic-concurrency',
  'leasing',
  'intent-graphs',
  'portfolios',
  'tasks',
  'plans',
  'coordinators',
  'subscriptions',
  'sse',
  'agents',
  'decisions',
  'escalations',
  'approvals',
  'human-in-the-loop',
];

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Two documents under `/.well-known`, which need no key. */
export const WELL_KNOWN_ROUTES: readonly Binding[] = [
  openIntentRoute(discover, 'GET /openintent.json', {
    handle: async () => ({
      protocol: 'OpenIntent Coordination Protocol',
      version: PROTOCOL_VERSION,
      rfcUrls: Object.keys(RFCS).map((name) => `/rfc/${name.slice('RFC-'.length)}`),
      capabilities: CAPABILITIES,
      openApiUrl: '/v1/openapi.json',
    }),
  }),
  openIntentRoute(discover, 'GET /openintent-compat.json', {
    handle: async () => ({
      implementation: 'Holdpoint',
      version: VERSION,
      rfcCompliance: RFCS,
      features: Object.fromEntries(CAPABILITIES.map((name) => [camelCase(name), true])),
    }),
  }),
];

/** The public part of the configuration, without null fields, which the SDK does not treat as missing. */
export const CONFIG_ROUTES: readonly Binding[] = [
  openIntentRoute(serverConfig, 'GET /server/config', {
    async handle({ run }) {
      const { protocol_version, suspension } = await run();
      const policy = suspension.default_retry_policy;
      const set = Object.entries(policy ?? {}).filter(([, value]) => value !== null);
      const default_retry_policy = policy === null ? null : Object.fromEntries(set);
      return { protocol_version, suspension: { default_retry_policy } };
    },
  }),
];
