import { z } from 'zod';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { jsonObjectSchema, nameSchema } from '../../../contracts/primitives.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { recordOf } from '../records.js';
import type { Records } from '../records.js';

const text = z.string().max(LIMITS.textCharacters);
const decisionSchema = z.object({
  decision_type: nameSchema,
  outcome: text,
  reasoning: text.nullish().transform((reasoning) => reasoning ?? ''),
});
const arbitrationSchema = z.object({
  reason: text,
  context: jsonObjectSchema.nullish().transform((context) => context ?? {}),
});

/** Decisions made for an intent, and requests to arbitrate (§7). */
export function decisionRoutes(records: Records): readonly DoorRoute[] {
  const path = '/intents/:intentId/decisions';
  return [
    doorRoute({
      ...{ method: 'post', path, access: 'any', body: decisionSchema },
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const decision = { ...body, decision_maker_id: caller.principal };
        return recordOf(await records.add(caller, id('intentId'), 'decision_recorded', decision));
      },
    }),
    doorRoute({
      ...{ method: 'get', path, access: 'any' },
      async handle({ id }) {
        const events = await records.of(id('intentId'), ['decision_recorded']);
        return { decisions: events.map(recordOf) };
      },
    }),
    doorRoute({
      ...{ method: 'post', path: '/intents/:intentId/arbitrate', access: 'any' },
      body: arbitrationSchema,
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const request = { ...body, requester_id: caller.principal, status: 'pending' };
        return recordOf(
          await records.add(caller, id('intentId'), 'arbitration_requested', request),
        );
      },
    }),
  ];
}
