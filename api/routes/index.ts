import type { ApiKey, ServerConfig } from '../../contracts/config.js';
import type { FeedHub } from '../../store/feed/hub.js';
import type { Gateway } from '../gateway/types.js';
import type { Route } from '../http/route.js';
import { createSecretCheck } from '../http/secret-check.js';
import type { LongPolls } from '../long-polls.js';
import { agentsAmong } from '../middleware/roles.js';
import { coordinatorDecisionRoutes } from './coordinator-decisions.js';
import { coordinatorRoutes } from './coordinators.js';
import { engagementRoutes } from './engagement.js';
import { eventLogRoutes } from './event-log.js';
import { eventRoutes } from './events.js';
import { dependencyRoutes } from './dependencies.js';
import { graphRoutes } from './graph.js';
import { inboxRoutes } from './inbox.js';
import { intentWriteRoutes } from './intent-writes.js';
import { intentRoutes } from './intents.js';
import { openApiRoute } from './openapi.js';
import { leaseRoutes } from './leases.js';
import { memberRoutes } from './portfolio-members.js';
import { portfolioRoutes } from './portfolios.js';
import { subscribeRoutes } from './subscribe.js';
import { planRoutes, workflowRoutes } from './plans.js';
import { configRoutes, healthRoutes } from './public.js';
import { respondRoutes } from './respond.js';
import { cancelRoutes, suspendRoutes } from './suspend.js';
import { taskRoutes } from './tasks.js';
import { subscriptionRoutes } from './subscriptions.js';
import { suspensionRoutes } from './suspensions.js';

/** What the routes need. */
export interface RouteDeps {
  readonly gateway: Gateway;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly longPolls: LongPolls;
  readonly feed: FeedHub;
}

/** Every route under `/v1`, in the order in which they are tried and described. */
export function routesOf(deps: RouteDeps): readonly Route[] {
  const { gateway, keys, config, longPolls } = deps;
  const routes = [
    ...intentRoutes(gateway),
    ...intentWriteRoutes(gateway),
    ...graphRoutes(gateway),
    ...dependencyRoutes(gateway),
    ...eventRoutes(gateway),
    ...eventLogRoutes(gateway),
    ...subscribeRoutes(deps),
    ...taskRoutes(gateway),
    ...planRoutes(gateway),
    ...workflowRoutes(gateway),
    ...subscriptionRoutes(gateway),
    ...leaseRoutes(gateway),
    ...portfolioRoutes(gateway),
    ...memberRoutes(gateway),
    ...coordinatorRoutes(gateway),
    ...coordinatorDecisionRoutes(gateway),
    ...suspendRoutes(gateway, createSecretCheck(config.suspension)),
    ...cancelRoutes(gateway),
    ...respondRoutes(gateway, agentsAmong(keys)),
    ...engagementRoutes(gateway),
    ...inboxRoutes(gateway),
    ...suspensionRoutes(gateway, longPolls),
    ...configRoutes(config),
    ...healthRoutes(gateway),
  ];
  return [...routes, openApiRoute(routes)];
}
