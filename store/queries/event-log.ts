import { sql, type Compilable, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { asHashed } from '../../domain/log/seal.js';
import { toJsonText, toText, toTextOrNull } from '../column-values.js';
import { readableBy } from './intent.js';
import type { EventsTable, Store } from '../schema.js';
import { withinBytes, type Page, type Part } from './bounded.js';
import { removedLogs } from './erasure/erasure-marks.js';

export interface EventListOptions extends Page {
  readonly event_type?: string | undefined;
  readonly event_types?: readonly string[] | undefined;
  /** ISO-8601; only events at or after this instant. */
  readonly since?: string | undefined;
}

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

type Special = 'claimed' | 'trace_id' | 'parent_event_id' | 'payload_salt';

/** Returns an event as it was hashed: without absent fields. */
export function eventOf<Row extends Pick<Selectable<EventsTable>, Special>>({
  claimed,
  trace_id,
  parent_event_id,
  ...event
}: Row) {
  return {
    ...asHashed(event),
    ...defined({
      claimed: claimed === true ? claimed : undefined,
      trace_id: trace_id ?? undefined,
      parent_event_id: parent_event_id ?? undefined,
    }),
  };
}

type EventRow = Omit<Selectable<EventsTable>, 'bytes' | 'feed_position' | 'space'>;

function eventsIn({ rows, more }: Part<EventRow>): Part<IntentEvent> {
  return { rows: rows.map(eventOf), more };
}

/** Whether an event names no intent that the reader may not read: events of a portfolio name its members. */
function namesOnlyReadable(reader: Reader | undefined): RawBuilder<boolean> {
  if (reader === undefined) return sql<boolean>`true`;
  return sql<boolean>`not exists (
    select from intents
    where intents.id = events.payload ->> 'intent_id' and not ${readableBy(reader)}
  )`;
}

/**
 * Returns a page of the events of an intent or a portfolio, newest first.
 *
 * @param reader - events about members that the reader may not read are left out
 */
export async function listEvents(
  db: Store,
  intentId: string,
  options: EventListOptions,
  reader?: Reader,
): Promise<Part<IntentEvent>> {
  const { limit, offset, event_type: type, event_types: types, since } = options;
  const inOrder = db
    .selectFrom('events')
    .select([...EVENT_COLUMNS, 'events.bytes'])
    .where('intent_id', '=', intentId)
    .$if(type !== undefined, (query) => query.where('event_type', '=', toText(type ?? '')))
    .$if(types !== undefined, (query) => query.where('event_type', 'in', (types ?? []).map(toText)))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? ''))
    .where(namesOnlyReadable(reader))
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .offset(offset);
  return eventsIn(await withinBytes(db, inOrder, limit, LIMITS.pageBytes));
}

/** Returns a page of the events of these types, of all intents, newest first. */
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

export interface EventRange {
  /** The last event before the range. Without it the log is read from its first event, whatever its number. */
  readonly after?: number;
  readonly upTo: number;
  readonly limit: number;
}

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

/** The end of a log by the row of its owner, and the highest number among its events. */
export interface StoredEnd {
  readonly last_sequence: number;
  readonly head_hash: string | null;
  readonly newest_event: number;
}

/** Returns the stored end of the log of an intent or a portfolio; undefined if it is not stored. */
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
 * Returns how far intents, portfolios or coordinators are stored: the newest event that is there together with the
 * entity's row, which is written last; 0 without one.
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

/** Appends events. Stored events stay, and events of a removed log are not written. Throws `EventConflictError`. */
export async function insertEvents(
  db: Store,
  events: readonly IntentEvent[],
  space: string,
): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await db.executeQuery(eventInsert(db, events, space).compile());
  await refuseConflicts(db, events, rows);
}

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
