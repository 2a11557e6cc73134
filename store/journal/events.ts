import type { IntentEvent } from '../../contracts/event.js';
import type { Store } from '../schema.js';
import { toJsonText, toText } from '../text-codec.js';

/** Another event is stored under the same intent and sequence, which must never happen. */
export class EventConflictError extends Error {
  override readonly name = 'EventConflictError';

  constructor(event: Pick<IntentEvent, 'intent_id' | 'sequence'>) {
    super(`another event is stored as number ${event.sequence} of intent ${event.intent_id}`);
  }
}

/** Lets agents follow the intents that they were ever assigned to, beginning with the assignment. */
export async function admitAgents(db: Store, events: readonly IntentEvent[]): Promise<void> {
  const members = events.flatMap(({ event_type, intent_id, payload: { agent_id } }) =>
    event_type === 'agent_assigned' && typeof agent_id === 'string'
      ? [{ kind: 'agent', audience: toText(agent_id), intent_id } as const]
      : [],
  );
  if (members.length === 0) return;
  await db
    .insertInto('feed_members')
    .values(members)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Appends events; those stored before are left alone. Throws `EventConflictError`. */
export async function insertEvents(db: Store, events: readonly IntentEvent[]): Promise<void> {
  if (events.length === 0) return;
  const inserted = await db
    .insertInto('events')
    .values(
      events.map((event) => ({
        intent_id: event.intent_id,
        sequence: event.sequence,
        id: event.id,
        event_type: toText(event.event_type),
        actor: toText(event.actor),
        payload: toJsonText(event.payload),
        created_at: event.created_at,
        previous_event_hash: event.previous_event_hash,
        event_hash: event.event_hash,
      })),
    )
    .onConflict((conflict) => conflict.columns(['intent_id', 'sequence']).doNothing())
    .returning('id')
    .execute();
  const insertedIds = new Set(inserted.map(({ id }) => id));
  const repeated = events.filter(({ id }) => !insertedIds.has(id));
  if (repeated.length > 0) await refuseConflicts(db, repeated);
}

async function refuseConflicts(db: Store, events: readonly IntentEvent[]): Promise<void> {
  const stored = await db
    .selectFrom('events')
    .select(['intent_id', 'sequence', 'id'])
    .where((eb) =>
      eb.or(
        events.map(({ intent_id, sequence }) =>
          eb.and([eb('intent_id', '=', intent_id), eb('sequence', '=', sequence)]),
        ),
      ),
    )
    .execute();
  const place = (row: { intent_id: string; sequence: number }): string =>
    `${row.intent_id}:${row.sequence}`;
  const idAt = new Map(stored.map((row) => [place(row), row.id]));
  const conflict = events.find((event) => idAt.get(place(event)) !== event.id);
  if (conflict !== undefined) throw new EventConflictError(conflict);
}
