import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { asHashed } from '../../domain/log/seal.js';
import { toText } from '../column-values.js';
import { readableBy } from './access.js';
import type { EventsTable, Store } from '../schema.js';
import { withinBytes } from './bounded.js';
import type { Page, Part } from './bounded.js';

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

/** A part of a log. */
export interface EventRange {
  /** The last event before the range. Without it the log is read from its first event, whatever its number. */
  readonly after?: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Returns events of an intent in the order of the log. */
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
 * Returns how far intents, portfolios or coordinators are stored: the newest event for which both the event and the
 * entity's row are there (the row is written last); 0 without one.
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
