import { Router } from 'express';
import { handleErrors, notFound } from '../http/problem.js';
import { mount, mountApi, type Binding, type Guards, type RouteServices } from '../http/route.js';
import { ACCESS_ROUTES, ASSIGNMENT_ROUTES } from './access.js';
import { AGENT_ROUTES } from './agents.js';
import { COORDINATOR_ROUTES } from './coordinators.js';
import { APPROVAL_ROUTES, DECISION_ROUTES, ESCALATION_ROUTES } from './decisions.js';
import { CONFIG_ROUTES, WELL_KNOWN_ROUTES } from './discovery.js';
import { sendRefusal } from './errors.js';
import { EVENT_ROUTES, STREAM_ROUTES, SUBSCRIPTION_ROUTES } from './events.js';
import { GRAPH_ROUTES } from './graph.js';
import { INTENT_ROUTES, LEASE_ROUTES } from './intents.js';
import { PLAN_ROUTES, TASK_ROUTES } from './plans.js';
import { MEMBER_ROUTES, PORTFOLIO_ROUTES } from './portfolios.js';
import { SUSPENSION_ROUTES } from './suspensions.js';

/** Every route under `/api/v1`, in the order in which they are tried. */
export const OPENINTENT_ROUTES: readonly Binding[] = [
  ...INTENT_ROUTES,
  ...EVENT_ROUTES,
  ...LEASE_ROUTES,
  ...GRAPH_ROUTES,
  ...SUSPENSION_ROUTES,
  ...DECISION_ROUTES,
  ...ESCALATION_ROUTES,
  ...APPROVAL_ROUTES,
  ...ACCESS_ROUTES,
  ...ASSIGNMENT_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...MEMBER_ROUTES,
  ...TASK_ROUTES,
  ...PLAN_ROUTES,
  ...COORDINATOR_ROUTES,
  ...STREAM_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...AGENT_ROUTES,
  ...CONFIG_ROUTES,
];

/**
 * Returns the OpenIntent API: `/api/v1` and `/.well-known`, in the forms that the published OpenIntent Python SDK sends and
 * reads. It runs the same use cases as `/v1` and has no rules of its own.
 */
export function openIntentApi(services: RouteServices, guards: Guards): Router {
  return Router()
    .use('/.well-known', mount(services, WELL_KNOWN_ROUTES))
    .use(
      '/api/v1',
      mountApi(services, guards, OPENINTENT_ROUTES),
      notFound,
      handleErrors(guards.log, sendRefusal),
    );
}
