import { Router } from 'express';
import type { Logger } from 'pino';
import type { ApiKey, ServerConfig } from '../../contracts/config.js';
import type { FeedHub } from '../../store/feed/hub.js';
import type { Gateway } from '../gateway/types.js';
import { createSecretCheck } from '../http/secret-check.js';
import type { LongPolls } from '../long-polls.js';
import { authenticate } from '../middleware/authenticate.js';
import { handleErrors, notFound } from '../middleware/errors.js';
import { agentsAmong } from '../middleware/roles.js';
import { mountDoor } from './define.js';
import { serverConfig, wellKnown } from './discovery.js';
import { eventRoutes } from './routes/events.js';
import { dependencyRoutes, graphRoutes } from './routes/graph.js';
import { intentRoutes, writeRoutes } from './routes/intents.js';
import { leaseRoutes } from './routes/leases.js';
import { respondRoutes } from './routes/respond.js';
import { Records } from './records.js';
import { agentRoutes } from './routes/agents.js';
import { accessRoutes } from './routes/access.js';
import { approvalRoutes } from './routes/approvals.js';
import { assignmentRoutes } from './routes/assignments.js';
import { coordinatorRoutes } from './routes/coordinators.js';
import { decisionRoutes } from './routes/decisions.js';
import { escalationRoutes } from './routes/escalations.js';
import { governanceRoutes } from './routes/governance.js';
import { planRoutes } from './routes/plans.js';
import { memberRoutes } from './routes/portfolio-members.js';
import { portfolioRoutes } from './routes/portfolios.js';
import { taskRoutes } from './routes/tasks.js';
import { subscriptionRoutes } from './routes/subscriptions.js';
import { subscribeRoutes } from './routes/subscribe.js';
import { sendDetail } from './send-detail.js';

interface DoorOptions {
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
export function openIntentDoor(options: DoorOptions): Router {
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
    ...subscribeRoutes(options),
    ...subscriptionRoutes(gateway),
    ...agentRoutes(gateway),
  ];
  const api = Router().use(serverConfig(config), authenticate(keys), mountDoor(routes), notFound);
  return Router()
    .use('/.well-known', wellKnown())
    .use('/api/v1', api, handleErrors(log, sendDetail));
}
