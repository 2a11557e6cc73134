import { z } from 'zod';
import {
  coordinatorDecisionRequestSchema,
  coordinatorDecisionSchema,
  coordinatorSchema,
  createCoordinatorRequestSchema,
  heartbeatReplySchema,
} from '../../contracts/coordinator.js';
import { COORDINATOR_DECISION, decisionOf } from '../../domain/coordinator/coordinator.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { EXAMPLES } from '../openapi/examples.js';

const coordinatorListSchema = z.object({ coordinators: z.array(coordinatorSchema).readonly() });
const COORDINATOR = '/coordinators/:coordinatorId';
const ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const { coordinator } = EXAMPLES;
const GRANTED = {
  description: 'The lease.',
  body: coordinatorSchema,
  example: coordinator,
} as const;

function writeRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/coordinators',
      id: 'createCoordinator',
      access: 'agent',
      summary: 'Takes the lease of a coordinator, kept alive by heartbeats',
      body: jsonOf(createCoordinatorRequestSchema, {
        intent_id: EXAMPLES.intentId,
        suspension_policy: 'escalate',
      }),
      replies: { 201: { ...GRANTED, headers: ['Location'] } },
      errors: ['intent_not_found', 'portfolio_not_found', 'deadline_in_past', ...ERRORS],
      async handle({ req, body }) {
        const granted = await gateway.createCoordinator(callerOf(req), body);
        return reply(201, granted, { Location: `/v1/coordinators/${granted.id}` });
      },
    }),
    defineRoute({
      method: 'post',
      path: `${COORDINATOR}/heartbeat`,
      id: 'heartbeat',
      access: 'agent',
      summary: 'Tells that the coordinator is there; two missed ones make it unresponsive',
      replies: {
        200: {
          description: 'When the next one is due.',
          body: heartbeatReplySchema,
          example: { status: 'ok', next_heartbeat_at: '2026-11-20T10:01:00.000Z' },
        },
      },
      errors: ['lease_not_found', 'coordinator_closed', 'moving', ...ERRORS],
      async handle({ req, params }) {
        return reply(200, await gateway.heartbeat(callerOf(req), params.coordinatorId));
      },
    }),
  ];
}

function readRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: COORDINATOR,
      id: 'getCoordinator',
      access: 'any',
      summary: 'Reads the lease of a coordinator',
      replies: { 200: { ...GRANTED, headers: ['Holdpoint-Stale'] } },
      errors: ERRORS,
      async handle({ params }) {
        const read = await gateway.getCoordinator(params.coordinatorId);
        return reply(200, read.value, staleness(read));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/intents/:intentId/coordinators',
      id: 'listCoordinators',
      access: 'any',
      summary: 'Lists the coordinators of an intent, oldest first',
      query: pageSchema,
      replies: {
        200: {
          description: 'A page of leases, as of their last change.',
          body: coordinatorListSchema,
          example: { coordinators: [coordinator] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ERRORS,
      async handle({ params, query }) {
        const read = await gateway.listCoordinators(params.intentId, query);
        return reply(200, { coordinators: read.value }, staleness(read));
      },
    }),
  ];
}

/** `POST /coordinators`, `GET` of one and its heartbeat, and the coordinators of an intent. */
export function coordinatorRoutes(gateway: Gateway): readonly Route[] {
  return [...writeRoutes(gateway), ...readRoutes(gateway)];
}

const PATH = '/intents/:intentId/coordinator-decisions';
const decisionListSchema = z.object({ decisions: z.array(coordinatorDecisionSchema).readonly() });
const { coordinatorDecision: example } = EXAMPLES;
const { id: _id, timestamp: _timestamp, ...request } = example;

/** `POST /decisions` of a coordinator, and those of an intent, newest first (RFC-0013 §4). */
export function coordinatorDecisionRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/decisions',
      id: 'recordDecision',
      access: 'agent',
      summary: 'Records what a coordinator decided for an intent, and why',
      body: jsonOf(coordinatorDecisionRequestSchema, request),
      replies: {
        201: {
          description: 'The record.',
          body: coordinatorDecisionSchema,
          example,
          headers: ['Location'],
        },
      },
      errors: [
        'coordinator_not_found',
        'lease_not_found',
        'coordinator_closed',
        'outside_scope',
        'intent_not_found',
        'intent_closed',
        'moving',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, body }) {
        const Location = `/v1/intents/${body.intent_id}/coordinator-decisions`;
        return reply(201, await gateway.recordDecision(callerOf(req), body), { Location });
      },
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      id: 'listCoordinatorDecisions',
      access: 'any',
      summary: 'Lists what coordinators decided for an intent, newest first',
      query: pageSchema,
      replies: {
        200: {
          description: 'A page of decision records.',
          body: decisionListSchema,
          example: { decisions: [example] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ params: { intentId }, query }) {
        const read = await gateway.listEvents(intentId, {
          ...query,
          event_type: COORDINATOR_DECISION,
        });
        return reply(200, { decisions: read.value.map(decisionOf) }, staleness(read));
      },
    }),
  ];
}
