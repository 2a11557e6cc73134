import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { describeRoutes, type RouteGroup } from '../openapi/document.js';
import { SESSION_ROUTES } from '../sessions/routes.js';
import { APPROVAL_ROUTES, RUN_ROUTES } from './approvals.js';
import { APPROVAL_REQUEST_ROUTES } from './approval-requests.js';
import {
  CALLER_ROUTES,
  CODEC_ROUTES,
  CONFIG_ROUTES,
  HEALTH_ROUTES,
  OPERATING_ROUTES,
  openApiRoute,
} from './service.js';
import { COORDINATOR_ROUTES } from './coordinators.js';
import { EVENT_ROUTES, LOG_ROUTES, PORTFOLIO_EVENT_ROUTES, TIMELINE_ROUTES } from './events.js';
import { GRAPH_ROUTES } from './graph.js';
import { ERASURE_ROUTES, INTENT_ROUTES, LEASE_ROUTES } from './intents.js';
import { LINK_ROUTES, WEBHOOK_ANSWER_ROUTES } from './links.js';
import { NOTICING_ROUTES, SAVED_VIEW_ROUTES, SNOOZE_ROUTES } from './inbox.js';
import { PLAN_ROUTES, TASK_ROUTES } from './plans.js';
import { MEMBER_ROUTES, PORTFOLIO_ROUTES } from './portfolios.js';
import type { Route } from './route.js';
import { QUESTION_STREAM_ROUTES, STREAM_ROUTES, SUBSCRIPTION_ROUTES } from './subscriptions.js';
import { METRIC_ROUTES } from './metrics.js';
import { SUSPENSION_AMEND_ROUTES, SUSPENSION_VERB_ROUTES } from './suspension-verbs.js';
import { SUSPENSION_READ_ROUTES, SUSPENSION_ROUTES } from './suspensions.js';

/** Every route under `/v1`, in the order in which they are tried and described: questions first. */
export const V1_ROUTES: readonly Route[] = [
  ...SUSPENSION_ROUTES,
  ...QUESTION_STREAM_ROUTES,
  ...SUSPENSION_VERB_ROUTES,
  ...SUSPENSION_READ_ROUTES,
  ...SNOOZE_ROUTES,
  ...SAVED_VIEW_ROUTES,
  ...METRIC_ROUTES,
  ...SUSPENSION_AMEND_ROUTES,
  ...LINK_ROUTES,
  ...WEBHOOK_ANSWER_ROUTES,
  ...APPROVAL_REQUEST_ROUTES,
  ...APPROVAL_ROUTES,
  ...RUN_ROUTES,
  ...INTENT_ROUTES,
  ...GRAPH_ROUTES,
  ...EVENT_ROUTES,
  ...ERASURE_ROUTES,
  ...TIMELINE_ROUTES,
  ...STREAM_ROUTES,
  ...TASK_ROUTES,
  ...PLAN_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...LEASE_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...MEMBER_ROUTES,
  ...PORTFOLIO_EVENT_ROUTES,
  ...COORDINATOR_ROUTES,
  ...LOG_ROUTES,
  ...CALLER_ROUTES,
  ...NOTICING_ROUTES,
  ...CONFIG_ROUTES,
  ...OPERATING_ROUTES,
  ...CODEC_ROUTES,
  ...HEALTH_ROUTES,
  openApiRoute(() => V1_DOCUMENT),
];

/** What the OpenAPI document describes: `/v1`, and how browsers sign in to use it. */
export const DESCRIBED_ROUTES: readonly RouteGroup[] = [
  { under: '/v1', routes: V1_ROUTES },
  { under: '/session', routes: SESSION_ROUTES },
];

export const V1_DOCUMENT = describeRoutes(DESCRIBED_ROUTES) as unknown as JsonObject;
