import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { createCoordinatorRequestSchema } from '../../contracts/coordinator.js';
import type { Coordinator } from '../../contracts/coordinator.js';
import type { IntentEvent } from '../../contracts/event.js';
import { jsonObjectSchema, nameSchema, unitSchema } from '../../contracts/primitives.js';
import type { Gateway } from '../gateway/index.js';
import { recordOf } from './records.js';
import type { Records } from './records.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { naiveOrNull, naiveTime } from './wire.js';

const COORDINATOR = '/coordinators/:coordinatorId';
const text = z.string().max(LIMITS.textCharacters);
const leaseSchema = createCoordinatorRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
});
const decisionSchema = z.object({
  coordinator_id: nameSchema,
  intent_id: idSchema,
  decision_type: nameSchema,
  summary: text,
  rationale: text,
  alternatives_considered: z.array(jsonObjectSchema).max(LIMITS.listedNames).default([]),
  confidence: unitSchema.nullable().default(null),
});

/** A coordinator's lease as the SDK parses it. */
function wireCoordinator(coordinator: Coordinator) {
  return {
    ...coordinator,
    last_heartbeat: naiveTime(coordinator.last_heartbeat),
    granted_at: naiveTime(coordinator.granted_at),
    expires_at: naiveOrNull(coordinator.expires_at),
  };
}

function coordinatorLeaseRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/coordinators',
      access: 'agent',
      body: leaseSchema,
      handle: async ({ req, body }) =>
        wireCoordinator(await gateway.createCoordinator(openIntentCaller(req), body)),
    }),
    openIntentRoute({
      method: 'get',
      path: COORDINATOR,
      access: 'any',
      handle: async ({ id }) =>
        wireCoordinator((await gateway.getCoordinator(id('coordinatorId'))).value),
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/coordinators',
      access: 'any',
      query: pageQuery,
      handle: async ({ id, query }) =>
        (await gateway.listCoordinators(id('intentId'), query)).value.map(wireCoordinator),
    }),
    openIntentRoute({
      method: 'post',
      path: `${COORDINATOR}/heartbeat`,
      access: 'agent',
      async handle({ req, id }) {
        const reply = await gateway.heartbeat(openIntentCaller(req), id('coordinatorId'));
        return { ...reply, next_heartbeat_at: naiveTime(reply.next_heartbeat_at) };
      },
    }),
  ];
}

function decisionOf(event: IntentEvent) {
  const { created_at: timestamp, ...decision } = recordOf(event);
  return { ...decision, timestamp };
}

/** Coordinators (§8): their leases, and the decisions that they have recorded with an intent. */
export function coordinatorRoutes(gateway: Gateway, records: Records): readonly OpenIntentRoute[] {
  return [
    ...coordinatorLeaseRoutes(gateway),
    openIntentRoute({
      method: 'post',
      path: '/decisions',
      access: 'agent',
      body: decisionSchema,
      async handle({ req, body: { intent_id, ...decision } }) {
        const caller = openIntentCaller(req);
        return decisionOf(await records.add(caller, intent_id, 'coordinator.decision', decision));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/coordinator-decisions',
      access: 'any',
      query: pageQuery,
      async handle({ id, query }) {
        const page = { ...query, event_types: ['coordinator.decision'] };
        return (await gateway.listEvents(id('intentId'), page)).value.map(decisionOf);
      },
    }),
  ];
}
