import express from 'express';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServerConfig } from '../contracts/config.js';
import type { OpenLink } from '../contracts/links.js';
import type { OpenAnswer } from '../contracts/webhook-answer.js';
import { docsPage } from './openapi/page.js';
import type { FeedHub } from '../store/feed/hub.js';
import type { Gateways } from './gateway/index.js';
import { letOrigins } from './http/cors.js';
import { mount, mountApi } from './http/route.js';
import { createLongPolls } from './http/long-polls.js';
import { withoutExpressPages } from './http/last-resort.js';
import { mcpRoutes } from './mcp/door.js';
import { handleErrors, notFound } from './http/problem.js';
import { limitLinks, limitRequests, limitUnsigned } from './http/request-limit.js';
import { requestLog } from './http/request-log.js';
import { signInBySession } from './http/same-site.js';
import { startInTurns } from './http/turns.js';
import { createLinks } from './links/links.js';
import { measureRequests } from './metrics/http.js';
import { openIntentApi } from './openintent/index.js';
import { sessionRoutes } from './sessions/routes.js';
import { createSlackDoor } from './slack/door.js';
import type { SlackInteractions } from './slack/interactions.js';
import { SLACK_ROUTES, findSigners, fromSlack, slackBody } from './slack/route.js';
import { signerFinder } from './slack/signature.js';
import type { Browsers } from './sign-in/browsers.js';
import type { Tracing } from '../runtime/tracing/tracing.js';
import type { SignIn } from './sign-in/sign-in.js';
import { traceRequests } from './tracing/requests.js';
import { V1_ROUTES } from './v1/index.js';
import { inboxPages } from './web/pages.js';
import { HEALTH_ROUTES } from './v1/service.js';
import { createWebhookAnswers } from './webhooks/answers.js';
import { answerOpener } from './webhooks/signed.js';

export interface AppOptions {
  readonly gateways: Gateways;
  readonly feed: FeedHub;
  readonly signIn: SignIn;
  /** How people sign in with a browser; without it, nobody does. */
  readonly browsers?: Browsers | undefined;
  readonly config: ServerConfig;
  /** Opens the tokens of links; without it there are none. */
  readonly openLink?: OpenLink | undefined;
  /** Finds who has signed an answer; as the configuration says, unless it is given. */
  readonly openAnswer?: OpenAnswer | undefined;
  /** Takes what people do in Slack; without it nobody answers there. */
  readonly slack?: Pick<SlackInteractions, 'take'> | undefined;
  readonly log: Logger;
  /** Gets the metrics of requests; without it nothing is measured. */
  readonly metrics?: Registry | undefined;
  /** Gets a span of each request; without it nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Where the inbox was built to; that of this package by default. */
  readonly webFolder?: string | undefined;
  /** Where the pages of Temporal are; people are told. */
  readonly temporalUi?: string | undefined;
}

/**
 * Builds the HTTP API over a gateway. Routes parse, run their operation and render; every rule lies
 * below them. The app's event `shutdown` ends all long polls and streams.
 */
export function createApp(options: AppOptions): Express {
  const { gateways, feed, signIn, browsers, config, openLink, log } = options;
  const { metrics, tracing, webFolder, temporalUi } = options;
  const longPolls = createLongPolls(config.limits);
  const links = createLinks({ gateways, config, open: openLink });
  const { openAnswer = answerOpener(config) } = options;
  const webhookAnswers = createWebhookAnswers({ gateways, config, open: openAnswer });
  const slack = createSlackDoor({ interactions: options.slack });
  const given = { gateways, config, links, webhookAnswers, slack };
  const services = { ...given, feed, longPolls, browsers, temporalUi };
  const bySession = browsers && signInBySession(browsers.sessions, config.public_url);
  const door = { signIn, bySession, limit: limitRequests(config.limits), log };
  const app = express();
  // They say from where they were asked, and whether over https; nobody else is believed.
  app.set('trust proxy', config.trusted_proxies);
  app.disable('x-powered-by');
  app.disable('etag');
  app.once('shutdown', () => {
    longPolls.endAll();
  });
  if (metrics !== undefined) app.use(measureRequests(metrics));
  if (tracing !== undefined) app.use(traceRequests(tracing));
  app.use(requestLog(log), helmet(), (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  if (config.cors_origins.length > 0) app.use('/v1', letOrigins(config.cors_origins));
  app.use(mount(services, HEALTH_ROUTES), docsPage(), inboxPages(webFolder), startInTurns());
  if (browsers !== undefined) app.use('/session', sessionRoutes(services, door));
  app.use(['/v1/links', '/v1/webhooks'], limitLinks(config.limits));
  // Strangers who share an address with Slack, or use up its limit, keep out no press.
  const limit = limitUnsigned(config.limits, (req) => fromSlack(req).channels.length > 0);
  app.use(
    '/slack',
    slackBody,
    findSigners(signerFinder(config)),
    limit,
    mount(services, SLACK_ROUTES),
  );
  app.use('/v1', mountApi(services, door, V1_ROUTES));
  app.use('/mcp', mountApi(services, door, mcpRoutes(log)));
  app.use(openIntentApi(services, door));
  app.use(notFound, handleErrors(log));
  return withoutExpressPages(app, log);
}
