import { z } from 'zod';
import {
  coordinatorDecisionRequestSchema,
  coordinatorDecisionSchema,
} from '../../contracts/coordinator-decision.js';
import { COORDINATOR_DECISION, decisionOf } from '../../domain/coordinator-decision.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { pageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const PATH = '/intents/:intentId/coordinator-decisions';
const decisionListSchema = z.object({ decisions: z.array(coordinatorDecisionSchema).readonly() });
const { coordinatorDecision: example } = EXAMPLES;
const { id: _id, timestamp: _timestamp, ...request } = example;

/** `POST /decisions` of a coordinator, and those of an intent, newest first (RFC-0013 §4). */
export function coordinatorDecisionRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: '/decisions', id: 'recordDecision', access: 'agent' },
      summary: 'Records what a coordinator decided for an intent, and why',
      body: jsonOf(coordinatorDecisionRequestSchema, request),
      replies: {
        201: {
          ...{ description: 'The record.', body: coordinatorDecisionSchema, example },
          headers: ['Location'],
        },
      },
      errors: [
        ...(['coordinator_not_found', 'lease_not_found', 'coordinator_closed'] as const),
        ...(['outside_scope', 'intent_not_found', 'intent_closed', 'moving'] as const),
        ...(['workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, body }) {
        const Location = `/v1/intents/${body.intent_id}/coordinator-decisions`;
        return reply(201, await gateway.recordDecision(callerOf(req), body), { Location });
      },
    }),
    defineRoute({
      ...{ method: 'get', path: PATH, id: 'listCoordinatorDecisions', access: 'any' },
      summary: 'Lists what coordinators decided for an intent, newest first',
      query: pageSchema,
      replies: {
        200: {
          ...{ description: 'A page of decision records.', body: decisionListSchema },
          ...{ example: { decisions: [example] }, headers: ['Holdpoint-Stale'] },
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
