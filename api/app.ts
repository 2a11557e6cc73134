import express, { Router } from 'express';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../contracts/config.js';
import type { Gateway } from './gateway/types.js';
import { createLongPolls } from './long-polls.js';
import type { LongPolls } from './long-polls.js';
import { authenticate } from './middleware/authenticate.js';
import { handleErrors, notFound } from './middleware/errors.js';
import { agentsAmong } from './middleware/roles.js';
import { requestLog } from './middleware/request-log.js';
import { engagementRoutes } from './routes/engagement.js';
import { eventLogRoutes } from './routes/event-log.js';
import { eventRoutes } from './routes/events.js';
import { inboxRoutes } from './routes/inbox.js';
import { intentWriteRoutes } from './routes/intent-writes.js';
import { intentRoutes } from './routes/intents.js';
import { leaseRoutes } from './routes/leases.js';
import { configRoutes, healthRoutes } from './routes/public.js';
import { respondRoutes } from './routes/respond.js';
import { suspendRoutes } from './routes/suspend.js';
import { suspensionRoutes } from './routes/suspensions.js';
import { createSecretCheck } from './http/secret-check.js';

export interface AppOptions {
  readonly gateway: Gateway;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly log: Logger;
}

/** The routes under `/v1`; all but configuration and health need a key, before anything else. */
function versionOne({ gateway, keys, config }: AppOptions, longPolls: LongPolls): Router {
  return Router().use(
    configRoutes(config),
    healthRoutes(gateway),
    authenticate(keys),
    intentRoutes(gateway),
    intentWriteRoutes(gateway),
    eventRoutes(gateway),
    eventLogRoutes(gateway),
    leaseRoutes(gateway),
    suspendRoutes(gateway, createSecretCheck(config.suspension)),
    respondRoutes(gateway, agentsAmong(keys)),
    engagementRoutes(gateway),
    inboxRoutes(gateway, createSecretCheck(config.suspension)),
    suspensionRoutes(gateway, longPolls),
  );
}

/**
 * Builds the HTTP API over a gateway. Routes parse, call the gateway and render; every rule lies
 * behind the gateway. The app's event `shutdown` ends all long polls.
 */
export function createApp(options: AppOptions): Express {
  const longPolls = createLongPolls();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.once('shutdown', () => {
    longPolls.endAll();
  });
  app.use(requestLog(options.log), helmet(), (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(healthRoutes(options.gateway));
  app.use('/v1', versionOne(options, longPolls));
  app.use(notFound, handleErrors(options.log));
  return app;
}
