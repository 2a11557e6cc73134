import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import {
  createCoordinatorRequestSchema,
  type Coordinator,
} from '../../contracts/coordinator/coordinator.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { jsonObjectSchema, nameSchema, unitSchema } from '../../contracts/kernel/primitives.js';
import type { Binding } from '../http/route.js';
import { logCoordinatorDecision } from '../usecases/record/records.js';
import { listCoordinatorDecisions } from '../usecases/event/events.js';
import {
  createCoordinator,
  getCoordinator,
  heartbeat,
  listCoordinators,
} from '../usecases/coordinator/coordinators.js';
import { ANY_NAME, openIntentList, openIntentRoute } from './route.js';
import { idSchema, wordsSchema } from './schemas.js';
import { naiveTime, recordOf, withNaiveTimes } from './wire.js';

const leaseSchema = createCoordinatorRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
});
const decisionSchema = z.object({
  coordinator_id: nameSchema,
  intent_id: idSchema,
  decision_type: nameSchema,
  summary: wordsSchema,
  rationale: wordsSchema,
  alternatives_considered: z.array(jsonObjectSchema).max(LIMITS.listedNames).default([]),
  confidence: unitSchema.nullable().default(null),
});

function wireCoordinator(coordinator: Coordinator) {
  return withNaiveTimes(coordinator, ['last_heartbeat', 'granted_at', 'expires_at']);
}

function wireDecision(event: IntentEvent) {
  const { created_at: timestamp, ...decision } = recordOf(event);
  return { ...decision, timestamp };
}

/** Coordinators: their leases, and the decisions that they have recorded with an intent. */
export const COORDINATOR_ROUTES: readonly Binding[] = [
  openIntentRoute(createCoordinator, 'POST /coordinators', {
    body: leaseSchema,
    handle: async ({ run, body }) => wireCoordinator(await run(body, undefined, ANY_NAME)),
  }),
  openIntentRoute(getCoordinator, 'GET /coordinators/:coordinatorId', {
    handle: async ({ run, id }) => wireCoordinator((await run(id('coordinatorId'))).value),
  }),
  openIntentList(listCoordinators, 'coordinators', wireCoordinator),
  openIntentRoute(heartbeat, 'POST /coordinators/:coordinatorId/heartbeat', {
    async handle({ run, id }) {
      const reply = await run(id('coordinatorId'));
      return { ...reply, next_heartbeat_at: naiveTime(reply.next_heartbeat_at) };
    },
  }),
  openIntentRoute(logCoordinatorDecision, 'POST /decisions', {
    body: decisionSchema,
    handle: async ({ run, body: { intent_id, ...decision } }) =>
      wireDecision(await run(intent_id, decision)),
  }),
  openIntentList(listCoordinatorDecisions, 'coordinator-decisions', wireDecision),
];
