import { sql } from 'kysely';
import type { Compilable, Insertable, Selectable } from 'kysely';
import type { Reader } from '../../contracts/access.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { toJsonText, toText } from '../column-values.js';
import { readableBy } from './access.js';
import type { EventsTable, Store } from '../schema.js';
import { withinBytes } from './bounded.js';
import type { Page, Part } from './bounded.js';
import { removedLogs } from './tombstone.js';

export interface EventListOptions extends Page {
  readonly event_type?: string | undefined;
  /** Only events of these types. */
  readonly event_types?: readonly string[] | undefined;
  /** ISO-8601; only events at or after this instant. */
  readonly since?: string | undefined;
}

/** The columns of an event. */
export const EVENT_COLUMNS = [
  'events.id',
  'events.intent_id',
  'events.sequence',
  'events.event_type',
  'events.actor',
  'events.principal',
  'events.claimed',
  'events.payload',
  'events.payload_commitment',
  'events.payload_salt',
  'events.created_at',
  'events.previous_event_hash',
  'events.event_hash',
  'events.trace_id',
  'events.parent_event_id',
] as const;

type Special =
  'principal' | 'claimed' | 'trace_id' | 'parent_event_id' | 'payload_commitment' | 'payload_salt';

/** An event as it was hashed: what it does not say is left out. Without a salt, its payload was erased. */
export function eventOf<Row extends Pick<Selectable<EventsTable>, Special>>({
  principal,
  claimed,
  trace_id,
  parent_event_id,
  payload_salt,
  ...event
}: Row) {
  const erased = payload_salt === null && event.payload_commitment !== '';
  return {
    ...event,
    ...(payload_salt !== null && { payload_salt }),
    ...(erased && { erased }),
    ...(principal !== null && { principal }),
    ...(claimed === true && { claimed }),
    ...(trace_id !== null && { trace_id }),
    ...(parent_event_id !== null && { parent_event_id }),
  };
}

type EventRow = Omit<Selectable<EventsTable>, 'bytes' | 'feed_position' | 'space'>;

function eventsIn({ rows, more }: Part<EventRow>): Part<IntentEvent> {
  return { rows: rows.map(eventOf), more };
}

/** A page of an intent's events, newest first. */
export async function listEvents(
  db: Store,
  intentId: string,
  options: EventListOptions,
): Promise<Part<IntentEvent>> {
  const { limit, offset, event_type: type, event_types: types, since } = options;
  const inOrder = db
    .selectFrom('events')
    .select([...EVENT_COLUMNS, 'events.bytes'])
    .where('intent_id', '=', intentId)
    .$if(type !== undefined, (query) => query.where('event_type', '=', toText(type ?? '')))
    .$if(types !== undefined, (query) => query.where('event_type', 'in', (types ?? []).map(toText)))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? ''))
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .offset(offset);
  return eventsIn(await withinBytes(db, inOrder, limit, LIMITS.pageBytes));
}

/** A page of the events of these types, of all intents, newest first. */
export async function findEvents(
  db: Store,
  types: readonly string[],
  { limit, offset }: Page,
  reader?: Reader,
): Promise<Part<IntentEvent>> {
  const inOrder = db
    .selectFrom('events')
    .innerJoin('intents', 'intents.id', 'events.intent_id')
    .select([...EVENT_COLUMNS, 'events.bytes'])
    .where('event_type', 'in', types.map(toText))
    .where(readableBy(reader))
    .orderBy('events.created_at', 'desc')
    .orderBy('events.id')
    .limit(limit + 1)
    .offset(offset);
  return eventsIn(await withinBytes(db, inOrder, limit, LIMITS.pageBytes));
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
    .select(EVENT_COLUMNS)
    .where('intent_id', '=', intentId)
    .where('sequence', '<=', upTo);
  const part = after === undefined ? upToThere : upToThere.where('sequence', '>', after);
  const rows = await part.orderBy('sequence').limit(limit).execute();
  return rows.map(eventOf);
}

/** How a log ends: as the intent's row says, and the highest number among the events. */
export interface StoredEnd {
  readonly last_sequence: number;
  readonly head_hash: string | null;
  readonly newest_event: number;
}

/** How the log of an intent or a portfolio ends in the store; undefined if it is not stored. */
export async function logEnd(
  db: Store,
  intentId: string,
  type: 'intent' | 'portfolio' = 'intent',
): Promise<StoredEnd | undefined> {
  return db
    .selectFrom(type === 'intent' ? 'intents' : 'portfolios')
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
export async function lastSequences(
  db: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('intents')
    .select(['id', 'last_sequence'])
    .where('id', 'in', ids)
    .unionAll((eb) => [
      eb.selectFrom('portfolios').select(['id', 'last_sequence']).where('id', 'in', ids),
      eb
        .selectFrom('coordinators')
        .select(['id', 'version as last_sequence'])
        .where('id', 'in', ids),
    ])
    .execute();
  const stored = new Map(rows.map(({ id, last_sequence }) => [id, last_sequence]));
  return new Map(ids.map((id) => [id, stored.get(id) ?? 0]));
}

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
  await refuseConflicts(db, events, rows as readonly EventPlace[]);
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
