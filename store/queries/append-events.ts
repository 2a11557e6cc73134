import { sql } from 'kysely';
import type { Compilable, Insertable, RawBuilder } from 'kysely';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { toJsonText, toText, toTextOrNull } from '../column-values.js';
import type { EventsTable, Store } from '../schema.js';
import { removedLogs } from './tombstone.js';

/** Another event is stored under the same intent and sequence, which must never happen. */
export class EventConflictError extends Error {
  override readonly name = 'EventConflictError';

  constructor(event: Pick<IntentEvent, 'intent_id' | 'sequence'>) {
    super(`another event is stored as number ${event.sequence} of intent ${event.intent_id}`);
  }
}

/** Returns the statement that lets agents follow the intents that they are assigned to, from the assignment on. */
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
 * Appends events. Stored events stay as they are, and events of a removed log are not written. Throws
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

/** The event at a place in a log. */
export type EventPlace = Pick<IntentEvent, 'intent_id' | 'sequence' | 'id'>;

/** Returns the statement that appends events and selects what is then at their places, for `refuseConflicts`. */
export function eventInsert(
  db: Store,
  events: readonly IntentEvent[],
  space: string,
): Compilable<EventPlace> {
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
      part.selectFrom('events').select(['intent_id', 'sequence', 'id']).where(isAtPlaces(events)),
    );
}

function isAtPlaces(events: readonly IntentEvent[]): RawBuilder<boolean> {
  const places = events.map(({ intent_id, sequence }) => sql`(${intent_id}, ${sequence}::integer)`);
  return sql`(intent_id, sequence) in (${sql.join(places)})`;
}

function eventRow(event: IntentEvent, space: string): Insertable<EventsTable> {
  return {
    space,
    intent_id: event.intent_id,
    sequence: event.sequence,
    id: event.id,
    event_type: toText(event.event_type),
    actor: toText(event.actor),
    principal: toText(event.principal),
    claimed: event.claimed ?? null,
    payload: toJsonText(event.payload),
    payload_commitment: event.payload_commitment,
    payload_salt: event.payload_salt ?? null,
    created_at: event.created_at,
    previous_event_hash: event.previous_event_hash,
    event_hash: event.event_hash,
    trace_id: toTextOrNull(event.trace_id),
    parent_event_id: toTextOrNull(event.parent_event_id),
  };
}

/**
 * Throws `EventConflictError` if another event is stored at the place of one of these.
 *
 * @param found - what the statement that appends the events saw at their places
 */
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
    .where(isAtPlaces(there))
    .execute();
  const differing = others(there, stored);
  if (differing.length === 0) return;
  const ids = differing.map(({ intent_id }) => intent_id);
  const removed = await removedLogs(db, ids);
  const conflict = differing.find(({ intent_id }) => !removed.has(intent_id));
  if (conflict !== undefined) throw new EventConflictError(conflict);
}

/** Returns the events whose places hold another event, or none. */
function others(events: readonly IntentEvent[], found: readonly EventPlace[]): IntentEvent[] {
  const placed = ({ intent_id, sequence, id }: EventPlace) => `${intent_id}:${sequence}:${id}`;
  const there = new Set(found.map(placed));
  return events.filter((event) => !there.has(placed(event)));
}
