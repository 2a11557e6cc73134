import { forAnyone, operations } from './operation.js';

/** Version of the OpenIntent protocol that names and forms follow. */
export const PROTOCOL_VERSION = '0.1';

/** What the server says of itself; no key is needed. */
export const SERVER = operations({
  health: {
    resource: 'server',
    refusals: [],
    run: async () => ({ status: 'ok' }) as const,
  },
  ready: { resource: 'server', refusals: [], run: forAnyone('readiness') },
  /** What clients may know of the configuration (R26-70). */
  serverConfig: {
    resource: 'server',
    refusals: [],
    run: async ({ config }) => ({
      protocol_version: PROTOCOL_VERSION,
      suspension: { default_retry_policy: config.suspension.default_retry_policy },
    }),
  },
  /** The descriptions of the API. */
  openApi: { resource: 'server', refusals: [], run: async () => undefined },
  discover: { resource: 'server', refusals: [], run: async () => undefined },
});
