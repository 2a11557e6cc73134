import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServerConfig } from '../contracts/server/config.js';
import type { OpenLink } from '../contracts/channel/links.js';
import type { OpenAnswer } from '../contracts/channel/webhook-answer.js';
import { docsPage } from './openapi/page.js';
import type { FeedHub } from '../store/feed/hub.js';
import type { PartsOf } from './parts/index.js';
import {
  letCodecOrigin,
  letOrigins,
  limitLinks,
  limitRequests,
  limitUnsigned,
  requestLog,
  startInTurns,
} from './http/middleware.js';
import { readBytes } from './http/json-body.js';
import { mount, mountApi } from './http/route.js';
import { createLongPolls } from './http/long-polls.js';
import { mcpRoutes } from './mcp/routes.js';
import { handleErrors, notFound, withoutExpressPages } from './http/problem.js';
import { signInBySession } from './http/same-site.js';
import { measureRequests } from './metrics/start.js';
import { openIntentApi } from './openintent/index.js';
import { sessionRoutes } from './sessions/routes.js';
import type { SlackInteractions } from './slack/interactions.js';
import { SLACK_ROUTES, findSigners, fromSlack, signerFinder, takeSigned } from './slack/route.js';
import type { Browsers } from './sign-in/start.js';
import type { Tracing } from '../runtime/tracing/tracing.js';
import type { SignIn } from './sign-in/sign-in.js';
import { traceRequests } from './tracing/tracing.js';
import { V1_ROUTES } from './v1/index.js';
import { inboxPages } from './web/pages.js';
import { HEALTH_ROUTES } from './v1/service.js';
import type { Services } from './usecases/usecase.js';
import { answerOpener } from './usecases/suspension/links.js';

export interface AppOptions {
  readonly partsOf: PartsOf;
  readonly feed: FeedHub;
  readonly signIn: SignIn;
  /** Signs people in with a browser; without it, nobody does. */
  readonly browsers?: Browsers | undefined;
  readonly config: ServerConfig;
  /** Opens the tokens of links; without it there are no links. */
  readonly openLink?: OpenLink | undefined;
  /** Finds the channel that signed an answer; by default, one of the configuration. */
  readonly openAnswer?: OpenAnswer | undefined;
  /** The key with which browsers subscribe to pushes; without it there are none. */
  readonly pushKey?: string | undefined;
  /** Takes interactions of people in Slack; without it nobody answers there. */
  readonly slack?: Pick<SlackInteractions, 'take'> | undefined;
  readonly log: Logger;
  /** Gets the metrics of requests; without it nothing is measured. */
  readonly metrics?: Registry | undefined;
  /** Gets a span of each request; without it nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** The folder of the built inbox; by default that of this package. */
  readonly webFolder?: string | undefined;
  /** What encrypts payloads for Temporal; without it nobody may use it over HTTP. */
  readonly codecs?: Services['codecs'];
  /** The address of the pages of Temporal, for people. */
  readonly temporalUi?: string | undefined;
}

/**
 * Builds the HTTP API. Routes parse, run their use case and render; every rule is below them. The event `shutdown` of the
 * app ends all long polls and streams.
 */
export function createApp(options: AppOptions): Express {
  const { partsOf, feed, signIn, browsers, config, pushKey, openLink, log } = options;
  const { metrics, tracing, webFolder, codecs, temporalUi } = options;
  const longPolls = createLongPolls(config.limits);
  const { openAnswer = answerOpener(config) } = options;
  const slack = { take: takeSigned(options.slack) };
  const given = {
    partsOf,
    config,
    browsers,
    pushKey,
    openLink,
    openAnswer,
    slack,
    codecs,
    temporalUi,
  };
  const services = { ...given, feed, longPolls };
  const bySession =
    browsers && signInBySession(browsers.sessions, config.public_url, config.codec?.origin);
  const guards = { signIn, bySession, limit: limitRequests(config.limits), log };
  const app = express();
  // Only these proxies are believed about the address of a client, and about https.
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
  if (config.codec !== undefined) app.use('/v1/codec', letCodecOrigin(config.codec.origin));
  if (config.cors_origins.length > 0) app.use('/v1', letOrigins(config.cors_origins));
  app.use(
    mount(services, HEALTH_ROUTES),
    docsPage(),
    inboxPages(config.image_hosts, webFolder),
    startInTurns(),
  );
  if (browsers !== undefined) app.use('/session', sessionRoutes(services, guards));
  app.use(['/v1/links', '/v1/webhooks'], limitLinks(config.limits));
  // Slack's own requests are not limited: strangers who share its address cannot use up its limit.
  const limit = limitUnsigned(config.limits, (req) => fromSlack(req).channels.length > 0);
  app.use(
    '/slack',
    readBytes,
    findSigners(signerFinder(config)),
    limit,
    mount(services, SLACK_ROUTES),
  );
  app.use('/v1', mountApi(services, guards, V1_ROUTES));
  app.use('/mcp', mountApi(services, guards, mcpRoutes(log)));
  app.use(openIntentApi(services, guards));
  app.use(notFound, handleErrors(log));
  return withoutExpressPages(app, log);
}
