import type { IntentEvent } from '../../contracts/event.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';

export interface EventListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly event_type?: string | undefined;
  /** Only events of these types. */
  readonly event_types?: readonly string[] | undefined;
  /** ISO-8601; only events at or after this instant. */
  readonly since?: string | undefined;
}

const COLUMNS = [
  'id',
  'intent_id',
  'sequence',
  'event_type',
  'actor',
  'payload',
  'created_at',
  'previous_event_hash',
  'event_hash',
] as const;

/** A page of an intent's events, newest first. */
export async function listEvents(
  db: Store,
  intentId: string,
  options: EventListOptions,
): Promise<IntentEvent[]> {
  const { limit, offset, event_type: type, event_types: types, since } = options;
  return db
    .selectFrom('events')
    .select(COLUMNS)
    .where('intent_id', '=', intentId)
    .$if(type !== undefined, (query) => query.where('event_type', '=', toText(type ?? '')))
    .$if(types !== undefined, (query) => query.where('event_type', 'in', (types ?? []).map(toText)))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? ''))
    .orderBy('sequence', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** A page of the events of these types, of all intents, newest first. */
export async function findEvents(
  db: Store,
  types: readonly string[],
  { limit, offset }: Pick<EventListOptions, 'limit' | 'offset'>,
): Promise<IntentEvent[]> {
  return db
    .selectFrom('events')
    .select(COLUMNS)
    .where('event_type', 'in', types.map(toText))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The part of a log to check or export next. */
export interface EventRange {
  /** The last event before the range. Without it the log is read from its start, whatever number that has. */
  readonly after?: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Events of an intent in the order of the log. */
export async function eventsInOrder(
  db: Store,
  intentId: string,
  { after, upTo, limit }: EventRange,
): Promise<IntentEvent[]> {
  const upToThere = db
    .selectFrom('events')
    .select(COLUMNS)
    .where('intent_id', '=', intentId)
    .where('sequence', '<=', upTo);
  const part = after === undefined ? upToThere : upToThere.where('sequence', '>', after);
  return part.orderBy('sequence').limit(limit).execute();
}

/** How a log ends: as the intent's row says, and the highest number among the events. */
export interface StoredEnd {
  readonly last_sequence: number;
  readonly head_hash: string | null;
  readonly newest_event: number;
}

/** How an intent's log ends in the store; undefined if the intent is not stored. */
export async function logEnd(db: Store, intentId: string): Promise<StoredEnd | undefined> {
  return db
    .selectFrom('intents')
    .select(['last_sequence', 'head_hash'])
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('events')
            .select(({ fn }) => fn.max('sequence').as('newest'))
            .where('intent_id', '=', intentId),
          eb.lit(0),
        )
        .as('newest_event'),
    )
    .where('id', '=', intentId)
    .executeTakeFirst();
}

/**
 * How far an intent, portfolio or coordinator is stored: the newest event of which both the event and the
 * entity's own row are there (the row is written last). 0 without one.
 */
export async function lastSequence(db: Store, id: string): Promise<number> {
  const row = await db
    .selectFrom('intents')
    .select('last_sequence')
    .where('id', '=', id)
    .unionAll(db.selectFrom('portfolios').select('last_sequence').where('id', '=', id))
    .unionAll(db.selectFrom('coordinators').select('version as last_sequence').where('id', '=', id))
    .executeTakeFirst();
  return row?.last_sequence ?? 0;
}

/** Another event is stored under the same intent and sequence, which must never happen. */
export class EventConflictError extends Error {
  override readonly name = 'EventConflictError';

  constructor(event: Pick<IntentEvent, 'intent_id' | 'sequence'>) {
    super(`another event is stored as number ${event.sequence} of intent ${event.intent_id}`);
  }
}

/** Lets agents follow the intents that they were assigned to, from the assignment on. */
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

/** Appends events; events that are already stored stay as they are. Throws `EventConflictError`. */
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
