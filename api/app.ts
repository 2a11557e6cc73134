import express, { Router } from 'express';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../contracts/config.js';
import { docsPage } from './openapi/page.js';
import type { FeedHub } from '../store/feed/hub.js';
import type { Gateway } from './gateway/index.js';
import { mount } from './http/route.js';
import type { Route } from './http/route.js';
import { createLongPolls } from './http/long-polls.js';
import { authenticate } from './http/keys-and-roles.js';
import { handleErrors, notFound } from './http/problem.js';
import { requestLog } from './http/request-log.js';
import { openIntentApi } from './openintent/index.js';
import { v1Routes } from './v1/index.js';
import { healthRoutes } from './v1/service.js';

export interface AppOptions {
  readonly gateway: Gateway;
  readonly feed: FeedHub;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly log: Logger;
}

/** The routes under `/v1`; all but the public ones need a key, before anything else. */
function v1Router({ keys }: AppOptions, routes: readonly Route[]): Router {
  const open = routes.filter(({ access }) => access === 'public');
  const guarded = routes.filter(({ access }) => access !== 'public');
  return Router().use(mount(open), authenticate(keys), mount(guarded));
}

/**
 * Builds the HTTP API over a gateway. Routes parse, call the gateway and render; every rule lies
 * behind the gateway. The app's event `shutdown` ends all long polls and streams.
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
  app.use(mount(healthRoutes(options.gateway)), docsPage());
  app.use('/v1', v1Router(options, v1Routes({ ...options, longPolls })));
  app.use(openIntentApi({ ...options, longPolls }));
  app.use(notFound, handleErrors(options.log));
  return app;
}
