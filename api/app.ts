import express from 'express';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../contracts/config.js';
import { docsPage } from './openapi/page.js';
import type { FeedHub } from '../store/feed/hub.js';
import type { Gateway } from './gateway/index.js';
import { mount, mountApi } from './http/route.js';
import { createLongPolls } from './http/long-polls.js';
import { agentsAmong } from './http/keys-and-roles.js';
import { handleErrors, notFound } from './http/problem.js';
import { requestLog } from './http/request-log.js';
import { openIntentApi } from './openintent/index.js';
import { V1_ROUTES } from './v1/index.js';
import { HEALTH_ROUTES } from './v1/service.js';

export interface AppOptions {
  readonly gateway: Gateway;
  readonly feed: FeedHub;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly log: Logger;
}

/**
 * Builds the HTTP API over a gateway. Routes parse, run their operation and render; every rule lies
 * below them. The app's event `shutdown` ends all long polls and streams.
 */
export function createApp(options: AppOptions): Express {
  const { gateway, feed, keys, config, log } = options;
  const longPolls = createLongPolls();
  const services = { gateway, config, agents: agentsAmong(keys), feed, longPolls };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.once('shutdown', () => {
    longPolls.endAll();
  });
  app.use(requestLog(log), helmet(), (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(mount(services, HEALTH_ROUTES), docsPage());
  app.use('/v1', mountApi(services, keys, V1_ROUTES));
  app.use(openIntentApi(services, keys, log));
  app.use(notFound, handleErrors(log));
  return app;
}
