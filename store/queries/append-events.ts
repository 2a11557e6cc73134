import { sql } from 'kysely';
import type { Compilable, Insertable } from 'kysely';
import type { IntentEvent } from '../../contracts/event.js';
import { toJsonText, toText } from '../column-values.js';
import type { EventsTable, Store } from '../schema.js';
import { removedLogs } from './tombstone.js';

/** Another event is stored under the same intent and sequence, which must never happen. */
export class EventConflictError extends Error {
  override readonly name = 'EventConflictError';

  constructor(event: Pick<IntentEvent, 'intent_id' | 'sequence'>) {
    super(`another event is stored as number ${event.sequence} of intent ${event.intent_id}`);
  }
}

/** The statement that lets agents follow the intents that they were assigned to, from the assignment on. */
export function admission(db: Store, events: readonly IntentEvent[]): Compilable | undefined {
  const members = events.flatMap(({ event_type, claimed, intent_id, payload: { agent_id } }) =>
    event_type === 'agent_assigned' && claimed !== true && typeof agent_id === 'string'
      ? [{ kind: 'agent', audience: toText(agent_id), intent_id } as const]
      : [],
  );
  if (members.length === 0) return undefined;
  return db
    .insertInto('feed_members')
    .values(members)
    .onConflict((conflict) => conflict.doNothing());
}

/**
 * Appends events; events that are already stored stay as they are, and those of a removed log are not written. Throws
 * `EventConflictError`.
 */
export async function insertEvents(
  db: Store,
  events: readonly IntentEvent[],
  space: string,
): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await db.executeQuery(eventInsert(db, events, space).compile());
  await refuseConflicts(db, events, rows);
}

/** Which event is at a place of a log. */
export type EventPlace = Pick<IntentEvent, 'intent_id' | 'sequence' | 'id'>;

/** The statement that appends events. It returns which events are at their places then; `refuseConflicts` looks at them. */
export function eventInsert(
  db: Store,
  events: readonly IntentEvent[],
  space: string,
): Compilable<EventPlace> {
  const places = events.map(({ intent_id, sequence }) => sql`(${intent_id}, ${sequence}::integer)`);
  return db
    .with('appended', (part) =>
      part
        .insertInto('events')
        .values(events.map((event) => eventRow(event, space)))
        .onConflict((conflict) => conflict.columns(['intent_id', 'sequence']).doNothing())
        .returning(['intent_id', 'sequence', 'id']),
    )
    .selectFrom('appended')
    .select(['intent_id', 'sequence', 'id'])
    .unionAll((part) =>
      part
        .selectFrom('events')
        .select(['intent_id', 'sequence', 'id'])
        .where(sql<boolean>`(intent_id, sequence) in (${sql.join(places)})`),
    );
}

function eventRow(event: IntentEvent, space: string): Insertable<EventsTable> {
  return {
    space,
    intent_id: event.intent_id,
    sequence: event.sequence,
    id: event.id,
    event_type: toText(event.event_type),
    actor: toText(event.actor),
    principal: event.principal === undefined ? null : toText(event.principal),
    claimed: event.claimed ?? null,
    payload: toJsonText(event.payload),
    payload_commitment: event.payload_commitment,
    payload_salt: event.payload_salt ?? null,
    created_at: event.created_at,
    previous_event_hash: event.previous_event_hash,
    event_hash: event.event_hash,
    trace_id: event.trace_id === undefined ? null : toText(event.trace_id),
    parent_event_id: event.parent_event_id === undefined ? null : toText(event.parent_event_id),
  };
}

/** @param found - what stands at the places of the events, as far as the statement that appends them could see */
export async function refuseConflicts(
  db: Store,
  events: readonly IntentEvent[],
  found: readonly EventPlace[],
): Promise<void> {
  const there = others(events, found);
  if (there.length === 0) return;
  // Another transaction may have committed the event in between.
  const stored = await db
    .selectFrom('events')
    .select(['intent_id', 'sequence', 'id'])
    .where((eb) =>
      eb.or(
        there.map(({ intent_id, sequence }) =>
          eb.and([eb('intent_id', '=', intent_id), eb('sequence', '=', sequence)]),
        ),
      ),
    )
    .execute();
  const differing = others(there, stored);
  if (differing.length === 0) return;
  const removed = await removedLogs(
    db,
    differing.map(({ intent_id }) => intent_id),
  );
  const conflict = differing.find(({ intent_id }) => !removed.has(intent_id));
  if (conflict !== undefined) throw new EventConflictError(conflict);
}

/** The events at whose places something else stands, or nothing. */
function others(events: readonly IntentEvent[], found: readonly EventPlace[]): IntentEvent[] {
  const idAt = new Map(
    found.map(({ intent_id, sequence, id }) => [`${intent_id}:${sequence}`, id]),
  );
  return events.filter(
    ({ intent_id, sequence, id }) => idAt.get(`${intent_id}:${sequence}`) !== id,
  );
}
