import {
  coordinatorDecisionRequestSchema,
  coordinatorDecisionSchema,
  coordinatorSchema,
  createCoordinatorRequestSchema,
  heartbeatReplySchema,
} from '../../contracts/coordinator/coordinator.js';
import { decisionOf } from '../../domain/coordinator/coordinator.js';
import { jsonOf } from '../http/input.js';
import { pageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { listCoordinatorDecisions } from '../usecases/event/events.js';
import {
  createCoordinator,
  getCoordinator,
  heartbeat,
  listCoordinators,
  recordDecision,
} from '../usecases/coordinator/coordinators.js';
import { CREATED, PAGE, READ } from './replies.js';
import { v1Route, type Route } from './route.js';

const GRANTED = { description: 'The lease.', body: coordinatorSchema } as const;

/** Coordinators: their leases, and their decisions for an intent (RFC-0013). */
export const COORDINATOR_ROUTES: readonly Route[] = [
  v1Route(createCoordinator, 'POST /coordinators', {
    summary: 'Takes the lease of a coordinator, kept alive by heartbeats',
    headers: ['Idempotency-Key'],
    body: jsonOf(createCoordinatorRequestSchema),
    replies: { 201: { ...GRANTED, headers: ['Location'] } },
    async handle({ run, headers, body }) {
      const granted = await run(body, headers['Idempotency-Key']);
      return CREATED.reply(granted, `/v1/coordinators/${granted.id}`);
    },
  }),
  v1Route(heartbeat, 'POST /coordinators/:coordinatorId/heartbeat', {
    summary: 'Sends a heartbeat; a coordinator that misses two is unresponsive',
    keyed: true,
    replies: { 200: { description: 'When the next one is due.', body: heartbeatReplySchema } },
    handle: async ({ run, params }) => reply(200, await run(params.coordinatorId)),
  }),
  v1Route(getCoordinator, 'GET /coordinators/:coordinatorId', {
    summary: 'Reads the lease of a coordinator',
    replies: { 200: { ...GRANTED, headers: ['Holdpoint-Stale'] } },
    handle: async ({ run, params }) => READ.reply(await run(params.coordinatorId)),
  }),
  v1Route(listCoordinators, 'GET /intents/:intentId/coordinators', {
    summary: 'Lists the coordinators of an intent, oldest first',
    query: pageSchema,
    replies: PAGE.declare(
      'coordinators',
      coordinatorSchema,
      'A page of leases, as of their last change.',
    ),
    handle: async ({ run, params, query }) =>
      PAGE.reply('coordinators', await run(params.intentId, query), query),
  }),
  v1Route(recordDecision, 'POST /decisions', {
    summary: 'Records what a coordinator decided for an intent, and why',
    body: jsonOf(coordinatorDecisionRequestSchema),
    keyed: true,
    replies: CREATED.declare('The record.', coordinatorDecisionSchema),
    async handle({ run, body }) {
      const Location = `/v1/intents/${body.intent_id}/coordinator-decisions`;
      return reply(201, await run(body), { Location });
    },
  }),
  v1Route(listCoordinatorDecisions, 'GET /intents/:intentId/coordinator-decisions', {
    summary: 'Lists what coordinators decided for an intent, newest first',
    query: pageSchema,
    replies: PAGE.declare('decisions', coordinatorDecisionSchema, 'A page of decision records.'),
    async handle({ run, params, query }) {
      const page = await run(params.intentId, query);
      return PAGE.reply('decisions', { ...page, value: page.value.map(decisionOf) }, query);
    },
  }),
];
