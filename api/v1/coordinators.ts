import { z } from 'zod';
import {
  coordinatorDecisionRequestSchema,
  coordinatorDecisionSchema,
  coordinatorSchema,
  createCoordinatorRequestSchema,
  heartbeatReplySchema,
} from '../../contracts/coordinator.js';
import { decisionOf } from '../../domain/coordinator/coordinator.js';
import { jsonOf } from '../http/input.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { COORDINATORS } from '../operations/agent.js';
import { EVENTS } from '../operations/event.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const COORDINATOR = '/coordinators/:coordinatorId';
const GRANTED = { description: 'The lease.', body: coordinatorSchema } as const;
const coordinatorListSchema = z.object({ coordinators: z.array(coordinatorSchema).readonly() });
const decisionListSchema = z.object({ decisions: z.array(coordinatorDecisionSchema).readonly() });

/** Coordinators: their leases, and what they decide for an intent (RFC-0013). */
export const COORDINATOR_ROUTES: readonly Route[] = [
  v1Route(COORDINATORS.createCoordinator, {
    method: 'post',
    path: '/coordinators',
    summary: 'Takes the lease of a coordinator, kept alive by heartbeats',
    body: jsonOf(createCoordinatorRequestSchema),
    replies: { 201: { ...GRANTED, headers: ['Location'] } },
    async handle({ run, body }) {
      const granted = await run(body);
      return reply(201, granted, { Location: `/v1/coordinators/${granted.id}` });
    },
  }),
  v1Route(COORDINATORS.heartbeat, {
    method: 'post',
    path: `${COORDINATOR}/heartbeat`,
    summary: 'Tells that the coordinator is there; two missed ones make it unresponsive',
    replies: { 200: { description: 'When the next one is due.', body: heartbeatReplySchema } },
    handle: async ({ run, params }) => reply(200, await run(params.coordinatorId)),
  }),
  v1Route(COORDINATORS.getCoordinator, {
    method: 'get',
    path: COORDINATOR,
    summary: 'Reads the lease of a coordinator',
    replies: { 200: { ...GRANTED, headers: ['Holdpoint-Stale'] } },
    async handle({ run, params }) {
      const read = await run(params.coordinatorId);
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(COORDINATORS.listCoordinators, {
    method: 'get',
    path: '/intents/:intentId/coordinators',
    summary: 'Lists the coordinators of an intent, oldest first',
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of leases, as of their last change.',
        body: coordinatorListSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params, query }) {
      const read = await run(params.intentId, query);
      return reply(200, { coordinators: read.value }, staleness(read));
    },
  }),
  v1Route(COORDINATORS.recordDecision, {
    method: 'post',
    path: '/decisions',
    summary: 'Records what a coordinator decided for an intent, and why',
    body: jsonOf(coordinatorDecisionRequestSchema),
    replies: {
      201: { description: 'The record.', body: coordinatorDecisionSchema, headers: ['Location'] },
    },
    async handle({ run, body }) {
      const Location = `/v1/intents/${body.intent_id}/coordinator-decisions`;
      return reply(201, await run(body), { Location });
    },
  }),
  v1Route(EVENTS.listCoordinatorDecisions, {
    method: 'get',
    path: '/intents/:intentId/coordinator-decisions',
    summary: 'Lists what coordinators decided for an intent, newest first',
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of decision records.',
        body: decisionListSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params, query }) {
      const read = await run(params.intentId, query);
      return reply(200, { decisions: read.value.map(decisionOf) }, staleness(read));
    },
  }),
];
