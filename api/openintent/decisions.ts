import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { jsonObjectSchema, nameSchema } from '../../contracts/primitives.js';
import { isEntityId } from '../gateway/references.js';
import { recordNotFound, recordOf } from './records.js';
import type { Records, WireRecord } from './records.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { optionalName } from './schemas.js';
import { naiveTime } from './wire.js';

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
export function decisionRoutes(records: Records): readonly OpenIntentRoute[] {
  const path = '/intents/:intentId/decisions';
  return [
    openIntentRoute({
      method: 'post',
      path,
      access: 'any',
      body: decisionSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const decision = { ...body, decision_maker_id: caller.principal };
        return recordOf(await records.add(caller, id('intentId'), 'decision_recorded', decision));
      },
    }),
    openIntentRoute({
      method: 'get',
      path,
      access: 'any',
      async handle({ id }) {
        const events = await records.of(id('intentId'), ['decision_recorded']);
        return { decisions: events.map(recordOf) };
      },
    }),
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/arbitrate',
      access: 'any',
      body: arbitrationSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const request = { ...body, requester_id: caller.principal, status: 'pending' };
        return recordOf(
          await records.add(caller, id('intentId'), 'arbitration_requested', request),
        );
      },
    }),
  ];
}

const ESCALATION_TYPES = ['escalation_requested', 'escalation_resolved'] as const;
const escalationText = z.string().max(LIMITS.textCharacters);
const escalationSchema = z.object({
  reason: escalationText,
  priority: nameSchema.default('medium'),
  urgency: nameSchema.default('medium'),
  context: jsonObjectSchema.nullish().transform((context) => context ?? {}),
  escalated_by: optionalName,
});
const resolutionSchema = z.object({
  resolution: escalationText,
  notes: escalationText.nullish(),
  resolved_by: optionalName,
});
const listQuery = z.object({ intent_id: z.string().optional(), status: z.string().optional() });

type Escalation = WireRecord & Readonly<Record<'id' | 'intent_id' | 'status', string>>;

/** The last resolution counts, as it does in the contract. */
function escalationsIn(events: readonly IntentEvent[]): readonly Escalation[] {
  return events
    .filter(({ event_type }) => event_type === 'escalation_requested')
    .map((event) => {
      const id = `${event.intent_id}.${event.id}`;
      const resolved = events.findLast(({ payload }) => payload['escalation_id'] === id);
      const named = { id, intent_id: event.intent_id };
      if (resolved === undefined) return { ...recordOf(event), ...named, status: 'pending' };
      const { escalation_id: _id, ...resolution } = resolved.payload;
      const resolved_at = naiveTime(resolved.created_at);
      return { ...recordOf(event), ...resolution, ...named, status: 'resolved', resolved_at };
    });
}

async function findEscalation(records: Records, escalationId: string): Promise<Escalation> {
  const [intentId = ''] = escalationId.split('.');
  if (!isEntityId(intentId)) throw recordNotFound('Escalation');
  return records.find('Escalation', intentId, ESCALATION_TYPES, (events) =>
    escalationsIn(events).find(({ id }) => id === escalationId),
  );
}

/**
 * Escalations to people (§7). They are resolved by their id alone, which therefore names the intent too.
 */
export function escalationRoutes(records: Records): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/escalations',
      access: 'any',
      body: escalationSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const escalated_by = body.escalated_by ?? caller.principal;
        const asked = { ...body, escalated_by };
        const event = await records.add(caller, id('intentId'), 'escalation_requested', asked);
        return escalationsIn([event])[0];
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/escalations',
      access: 'any',
      query: listQuery,
      async handle({ query: { intent_id, status } }) {
        const all =
          intent_id === undefined
            ? records.ofAll(ESCALATION_TYPES)
            : records.of(intent_id, ESCALATION_TYPES);
        const escalations = escalationsIn(await all);
        return {
          escalations: escalations.filter((one) => status === undefined || one.status === status),
        };
      },
    }),
    openIntentRoute({
      method: 'post',
      path: '/escalations/:escalationId/resolve',
      access: 'any',
      body: resolutionSchema,
      async handle({ req, body: { resolution, notes, resolved_by } }) {
        const caller = openIntentCaller(req);
        const escalationId = String(req.params['escalationId']);
        const { intent_id } = await findEscalation(records, escalationId);
        await records.add(caller, intent_id, 'escalation_resolved', {
          escalation_id: escalationId,
          resolution,
          resolved_by: resolved_by ?? caller.principal,
          ...(notes && { resolution_notes: notes }),
        });
        return findEscalation(records, escalationId);
      },
    }),
  ];
}
