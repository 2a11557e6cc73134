import { Router } from 'express';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../../contracts/config.js';
import type { Gateway } from '../gateway/types.js';
import { createSecretCheck } from '../http/secret-check.js';
import { authenticate } from '../middleware/authenticate.js';
import { handleErrors, notFound } from '../middleware/errors.js';
import { agentsAmong } from '../middleware/roles.js';
import { mountDoor } from './define.js';
import { serverConfig, wellKnown } from './discovery.js';
import { eventRoutes } from './routes/events.js';
import { intentRoutes, writeRoutes } from './routes/intents.js';
import { leaseRoutes } from './routes/leases.js';
import { respondRoutes } from './routes/respond.js';
import { sendDetail } from './send-detail.js';

interface DoorOptions {
  readonly gateway: Gateway;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly log: Logger;
}

/**
 * The OpenIntent-compatible door: `/api/v1` and `/.well-known`, in the forms that the published OpenIntent
 * Python SDK sends and reads. It translates and calls the same gateway as `/v1`; no rule is written here.
 */
export function openIntentDoor({ gateway, keys, config, log }: DoorOptions): Router {
  const routes = [
    ...intentRoutes(gateway),
    ...writeRoutes(gateway, createSecretCheck(config.suspension)),
    ...eventRoutes(gateway),
    ...leaseRoutes(gateway),
    ...respondRoutes(gateway, agentsAmong(keys)),
  ];
  const api = Router().use(serverConfig(config), authenticate(keys), mountDoor(routes), notFound);
  return Router()
    .use('/.well-known', wellKnown())
    .use('/api/v1', api, handleErrors(log, sendDetail));
}
