import type { ApiKey, ServerConfig } from '../../contracts/config.js';
import type { FeedHub } from '../../store/feed/hub.js';
import type { Gateway } from '../gateway/index.js';
import { createSecretCheck } from '../http/input.js';
import { agentsAmong } from '../http/keys-and-roles.js';
import type { LongPolls } from '../http/long-polls.js';
import type { Route } from '../http/route.js';
import { coordinatorDecisionRoutes, coordinatorRoutes } from './coordinators.js';
import { engagementRoutes } from './engagement.js';
import { eventLogRoutes, eventRoutes } from './events.js';
import { dependencyRoutes, graphRoutes } from './graph.js';
import { intentRoutes, intentWriteRoutes } from './intents.js';
import { leaseRoutes } from './leases.js';
import { phasedPlanRoutes, planRoutes } from './plans.js';
import { memberRoutes, portfolioRoutes } from './portfolios.js';
import { configRoutes, healthRoutes, openApiRoute } from './service.js';
import { streamRoutes, subscriptionRoutes } from './subscriptions.js';
import { inboxRoutes, suspensionRoutes } from './suspension-reads.js';
import { cancelRoutes, respondRoutes, suspendRoutes } from './suspensions.js';
import { taskRoutes } from './tasks.js';

/** What the routes need. */
export interface RouteDeps {
  readonly gateway: Gateway;
  readonly keys: readonly ApiKey[];
  readonly config: ServerConfig;
  readonly longPolls: LongPolls;
  readonly feed: FeedHub;
}

/** Every route under `/v1`, in the order in which they are tried and described. */
export function v1Routes(deps: RouteDeps): readonly Route[] {
  const { gateway, keys, config, longPolls } = deps;
  const routes = [
    ...intentRoutes(gateway),
    ...intentWriteRoutes(gateway),
    ...graphRoutes(gateway),
    ...dependencyRoutes(gateway),
    ...eventRoutes(gateway),
    ...eventLogRoutes(gateway),
    ...streamRoutes(deps),
    ...taskRoutes(gateway),
    ...planRoutes(gateway),
    ...phasedPlanRoutes(gateway),
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
