import { Router } from 'express';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../../contracts/config.js';
import type { FeedHub } from '../../store/feed/hub.js';
import type { Gateway } from '../gateway/index.js';
import { createSecretCheck } from '../http/input.js';
import { agentsAmong, authenticate } from '../http/keys-and-roles.js';
import type { LongPolls } from '../http/long-polls.js';
import { handleErrors, notFound } from '../http/problem.js';
import { accessRoutes } from './access.js';
import { agentRoutes, assignmentRoutes } from './agents.js';
import { approvalRoutes } from './approvals.js';
import { coordinatorRoutes } from './coordinators.js';
import { decisionRoutes, escalationRoutes } from './decisions.js';
import { serverConfig, wellKnown } from './discovery.js';
import { sendRefusal } from './errors.js';
import { eventRoutes } from './events.js';
import { dependencyRoutes, graphRoutes } from './graph.js';
import { governanceRoutes, intentRoutes, writeRoutes } from './intents.js';
import { leaseRoutes } from './leases.js';
import { planRoutes } from './plans.js';
import { memberRoutes, portfolioRoutes } from './portfolios.js';
import { Records } from './records.js';
import { mountOpenIntent } from './route.js';
import { streamRoutes, subscriptionRoutes } from './subscriptions.js';
import { respondRoutes } from './suspensions.js';
import { taskRoutes } from './tasks.js';

interface OpenIntentOptions {
  readonly gateway: Gateway;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

/**
 * The OpenIntent-compatible door: `/api/v1` and `/.well-known`, in the forms that the published OpenIntent
 * Python SDK sends and reads. It translates and calls the same gateway as `/v1`; no rule is written here.
 */
export function openIntentApi(options: OpenIntentOptions): Router {
  const { gateway, keys, config, log } = options;
  const records = new Records(gateway);
  const refuseSecrets = createSecretCheck(config.suspension);
  const routes = [
    ...intentRoutes(gateway, refuseSecrets),
    ...writeRoutes(gateway, refuseSecrets),
    ...eventRoutes(gateway),
    ...leaseRoutes(gateway),
    ...graphRoutes(gateway, refuseSecrets),
    ...dependencyRoutes(gateway),
    ...respondRoutes(gateway, agentsAmong(keys)),
    ...decisionRoutes(records),
    ...escalationRoutes(records),
    ...approvalRoutes(records),
    ...governanceRoutes(gateway),
    ...accessRoutes(records),
    ...assignmentRoutes(records),
    ...portfolioRoutes(gateway),
    ...memberRoutes(gateway),
    ...taskRoutes(gateway),
    ...planRoutes(gateway),
    ...coordinatorRoutes(gateway, records),
    ...streamRoutes(options),
    ...subscriptionRoutes(gateway),
    ...agentRoutes(gateway),
  ];
  const api = Router().use(
    serverConfig(config),
    authenticate(keys),
    mountOpenIntent(routes),
    notFound,
  );
  return Router()
    .use('/.well-known', wellKnown())
    .use('/api/v1', api, handleErrors(log, sendRefusal));
}
