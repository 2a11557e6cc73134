import { z } from 'zod';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { IntentEvent } from '../../../contracts/event.js';
import { jsonObjectSchema, nameSchema } from '../../../contracts/primitives.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { isEntityId } from '../../gateway/ids.js';
import { naiveTime } from '../naive-time.js';
import { noSuch, recordOf } from '../records.js';
import type { Records, WireRecord } from '../records.js';
import { optionalName } from '../schemas.js';

const TYPES = ['escalation_requested', 'escalation_resolved'] as const;
const text = z.string().max(LIMITS.textCharacters);
const escalationSchema = z.object({
  reason: text,
  priority: nameSchema.default('medium'),
  urgency: nameSchema.default('medium'),
  context: jsonObjectSchema.nullish().transform((context) => context ?? {}),
  escalated_by: optionalName,
});
const resolutionSchema = z.object({
  resolution: text,
  notes: text.nullish(),
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

async function find(records: Records, escalationId: string): Promise<Escalation> {
  const [intentId = ''] = escalationId.split('.');
  if (!isEntityId(intentId)) throw noSuch('Escalation');
  return records.find('Escalation', intentId, TYPES, (events) =>
    escalationsIn(events).find(({ id }) => id === escalationId),
  );
}

/**
 * Escalations to people (§7). They are resolved by their id alone, which therefore names the intent too.
 */
export function escalationRoutes(records: Records): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'post', path: '/intents/:intentId/escalations', access: 'any' },
      body: escalationSchema,
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const escalated_by = body.escalated_by ?? caller.principal;
        const asked = { ...body, escalated_by };
        const event = await records.add(caller, id('intentId'), 'escalation_requested', asked);
        return escalationsIn([event])[0];
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/escalations', access: 'any', query: listQuery },
      async handle({ query: { intent_id, status } }) {
        const all = intent_id === undefined ? records.ofAll(TYPES) : records.of(intent_id, TYPES);
        const escalations = escalationsIn(await all);
        return {
          escalations: escalations.filter((one) => status === undefined || one.status === status),
        };
      },
    }),
    doorRoute({
      ...{ method: 'post', path: '/escalations/:escalationId/resolve', access: 'any' },
      body: resolutionSchema,
      async handle({ req, body: { resolution, notes, resolved_by } }) {
        const caller = doorCaller(req);
        const escalationId = String(req.params['escalationId']);
        const { intent_id } = await find(records, escalationId);
        await records.add(caller, intent_id, 'escalation_resolved', {
          ...{ escalation_id: escalationId, resolution },
          resolved_by: resolved_by ?? caller.principal,
          ...(notes && { resolution_notes: notes }),
        });
        return find(records, escalationId);
      },
    }),
  ];
}
