import { Router } from 'express';
import type { ServerConfig } from '../../contracts/config.js';
import { API_VERSION } from '../openapi/document.js';

const PROTOCOL_VERSION = '0.1';
/** The RFCs this server keeps, and how far. */
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

/** Two documents under `/.well-known` (§4), for which no key is needed. */
export function wellKnown(): Router {
  const router = Router();
  router.get('/openintent.json', (_req, res) => {
    res.json({
      protocol: 'OpenIntent Coordination Protocol',
      version: PROTOCOL_VERSION,
      rfcUrls: Object.keys(RFCS).map((name) => `/rfc/${name.slice('RFC-'.length)}`),
      capabilities: CAPABILITIES,
      openApiUrl: '/v1/openapi.json',
    });
  });
  router.get('/openintent-compat.json', (_req, res) => {
    res.json({
      implementation: 'Holdpoint',
      version: API_VERSION,
      rfcCompliance: RFCS,
      features: Object.fromEntries(CAPABILITIES.map((name) => [camelCase(name), true])),
    });
  });
  return router;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** `GET /server/config` (§4). A field that is null would not be read as one that is missing. */
export function serverConfig(config: ServerConfig): Router {
  const { default_retry_policy: policy } = config.suspension;
  const given = Object.entries(policy ?? {}).filter(([, value]) => value !== null);
  const told = policy === null ? null : Object.fromEntries(given);
  const router = Router();
  router.get('/server/config', (_req, res) => {
    res.json({ protocol_version: PROTOCOL_VERSION, suspension: { default_retry_policy: told } });
  });
  return router;
}
