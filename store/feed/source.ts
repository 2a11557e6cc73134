import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/subscription/feed.js';
import { toText } from '../column-values.js';
import { withinBytes } from '../queries/bounded.js';
import type { Part } from '../queries/bounded.js';
import { EVENT_COLUMNS, eventOf } from '../queries/event-log.js';
import type { Database, FeedMembersTable, Store } from '../schema.js';
import { FeedEndFinder, feedEnd, lastTaken } from './end.js';
import type { FeedEnd } from './end.js';
import { MOST_MARKS } from './marks.js';
import type { FeedMark } from './marks.js';
import { FeedListener } from './notices.js';
import { isInRange, readQuestions, readRuns } from './rows.js';
import type { QuestionScope } from './rows.js';

type Audience = FeedMembersTable['kind'];

/** An agent or portfolio that follows an intent, and the last position that it follows; null without an end. */
export interface FeedAudience extends Readonly<FeedMembersTable> {
  readonly until: number | null;
}

/** A scope with events of intents. */
type IntentScope = Exclude<FeedScope, { readonly kind: 'run' | 'questions' | 'questions_of' }>;

/** The bytes of the feed that each reader that catches up keeps in memory; a single event may be larger. */
const PAGE_BYTES = 512 * 1024;

/** Returns the part of a scope in a range of the feed, in its order: events of intents and of runs, or changes of questions. */
export async function readFeed(
  db: Store,
  scope: FeedScope,
  range: FeedRange,
): Promise<Part<FeedEntry>> {
  if (isOfQuestions(scope)) return readQuestions(db, scope, range);
  if (scope.kind === 'run') return readRuns(db, scope, range, PAGE_BYTES);
  if (scope.kind === 'intent' || scope.kind === 'portfolio') return readIntents(db, scope, range);
  const intents = await readIntents(db, scope, range);
  const events = merged(intents, await readRuns(db, scope, range, PAGE_BYTES), range.limit);
  if (scope.kind === 'all' || scope.kind === 'agent') return events;
  return merged(events, await readQuestions(db, scope, range), range.limit);
}

function isOfQuestions(
  scope: FeedScope,
): scope is Exclude<QuestionScope, { readonly kind: 'everything' }> {
  return scope.kind === 'questions' || scope.kind === 'questions_of';
}

/** Merges two parts, as far as both were read. */
function merged(one: Part<FeedEntry>, other: Part<FeedEntry>, limit: number): Part<FeedEntry> {
  if (other.rows.length === 0) return one;
  const upTo = Math.min(...[one, other].map(({ rows, more }) => (more ? lastIn(rows) : Infinity)));
  const all = [...one.rows, ...other.rows]
    .filter(({ position }) => position <= upTo)
    .sort((a, b) => a.position - b.position);
  const more = one.more || other.more || all.length > limit;
  return { rows: all.slice(0, limit), more };
}

function lastIn(rows: readonly FeedEntry[]): number {
  return rows.at(-1)?.position ?? 0;
}

async function readIntents(
  db: Store,
  scope: IntentScope,
  range: FeedRange,
): Promise<Part<FeedEntry>> {
  const { limit } = range;
  const inSpace = guardedEvents(db).where(isInRange('events', scope, range));
  const ofScope =
    scope.kind === 'everything' || scope.kind === 'all'
      ? inSpace
      : scope.kind === 'intent'
        ? inSpace.where('events.intent_id', '=', scope.id)
        : inSpace
            .where('events.intent_id', 'in', intentsOf(db, scope.kind, toText(scope.id)))
            .$if(scope.kind === 'portfolio', (query) => query.where(wasIn(toText(scope.id))));
  const inOrder = ofScope
    // Within one intent both orders are the same, and this one uses the index of its log.
    .orderBy(scope.kind === 'intent' ? 'events.sequence' : 'events.feed_position')
    .select('events.bytes')
    .limit(limit + 1);
  const { rows, more } = await withinBytes(db, inOrder, limit, PAGE_BYTES);
  const entries = rows.map(({ feed_position, space, created_by, owner, ...row }) => {
    const { guarded_id, guarded_owner, access, askers, ...event } = row;
    return {
      position: Number(feed_position),
      space,
      created_by,
      owner,
      guarded: guarded_id === null ? null : { owner: guarded_owner, access, askers },
      event: eventOf(event),
    };
  });
  return { rows: entries, more };
}

/** The events, each with what decides who may see how much of it. */
function guardedEvents(db: Store) {
  return db
    .selectFrom('events')
    .leftJoin('events as first', (join) =>
      join.onRef('first.intent_id', '=', 'events.intent_id').on('first.sequence', '=', 1),
    )
    .select([...EVENT_COLUMNS, 'events.feed_position', 'events.space'])
    .select('first.actor as created_by')
    .select((eb) =>
      eb
        .case()
        .when('first.event_type', '=', 'portfolio.created')
        .then(null)
        .else(eb.ref('first.principal'))
        .end()
        .as('owner'),
    )
    .leftJoin('intents', (join) => join.on('intents.id', '=', aboutIntent()))
    .select(['intents.id as guarded_id', 'intents.owner as guarded_owner', 'intents.access'])
    .select(askers().as('askers'));
}

/** The intent that an event is about: an event of a portfolio is about the member that it names. */
function aboutIntent() {
  return sql<string | null>`case
    when first.event_type = 'portfolio.created' then events.payload ->> 'intent_id'
    else events.intent_id
  end`;
}

/** The asker of the open question of the intent that an event is about. */
function askers() {
  return sql<string[]>`array(
    select asked_by from suspensions
    where suspensions.intent_id = intents.id and state = 'pending' and asked_by is not null
  )`;
}

/** Leaves out the events of an intent after it was removed from the portfolio. */
function wasIn(portfolioId: string) {
  return (eb: ExpressionBuilder<Database, 'events'>) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('portfolio_intents')
          .select('portfolio_intents.intent_id')
          .where('portfolio_id', '=', portfolioId)
          .whereRef('portfolio_intents.intent_id', '=', 'events.intent_id')
          .whereRef('until_position', '<', 'events.feed_position'),
      ),
    );
}

/**
 * The intents of an agent or portfolio. An agent also has the intents that it created; a portfolio also has
 * its own log and its former members.
 */
function intentsOf(db: Store, kind: Audience, audience: string) {
  const members = db
    .selectFrom('feed_members')
    .select('intent_id')
    .where('kind', '=', kind)
    .where('audience', '=', audience);
  if (kind === 'portfolio') {
    const joined = db.selectFrom('portfolio_intents').select('intent_id');
    const own = db.selectNoFrom(sql<string>`${audience}::text`.as('intent_id'));
    return members.union(joined.where('portfolio_id', '=', audience)).union(own);
  }
  const created = db.selectFrom('events').select('intent_id').where('actor', '=', audience);
  return members.union(created.where('sequence', '=', 1));
}

/** Returns who follows these intents besides their creators: the same filter, from intent to audience. */
async function audiencesOf(
  db: Store,
  intentIds: readonly string[],
): Promise<readonly FeedAudience[]> {
  if (intentIds.length === 0) return [];
  const portfolios = db
    .selectFrom('portfolio_intents')
    .select([sql<'portfolio'>`'portfolio'`.as('kind'), 'portfolio_id as audience', 'intent_id'])
    .select('until_position as until')
    .where('intent_id', 'in', intentIds);
  const rows = await db
    .selectFrom('feed_members')
    .select(['kind', 'audience', 'intent_id', sql<string | null>`null::bigint`.as('until')])
    .where('intent_id', 'in', intentIds)
    .unionAll(portfolios)
    .execute();
  return rows.map(({ until, ...row }) => ({
    ...row,
    until: until === null ? null : Number(until),
  }));
}

/** The newest position up to a number, of an event or of a change of a question; 0 without one. */
export async function newestPosition(db: Store, upTo: number): Promise<number> {
  return Math.max(
    await newestIn(db, 'events', upTo),
    await newestIn(db, 'run_events', upTo),
    await newestIn(db, 'suspensions', upTo),
  );
}

async function newestIn(
  db: Store,
  log: 'events' | 'run_events' | 'suspensions',
  upTo: number,
): Promise<number> {
  const newest = await db
    .selectFrom(log)
    .select('feed_position')
    .where('feed_position', '<=', String(upTo))
    .orderBy('feed_position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Number(newest?.feed_position ?? 0);
}

async function marksUpTo(db: Store, upTo: number): Promise<readonly FeedMark[]> {
  const newestOf = (log: 'events' | 'run_events') => sql`
    (select feed_position as position, id::text as id from ${sql.table(log)}
      where feed_position <= ${String(upTo)}::bigint
      order by feed_position desc limit ${MOST_MARKS})`;
  const { rows } = await sql<{ position: string; id: string }>`
    select position, id from (${newestOf('events')} union all ${newestOf('run_events')}) newest
    order by position desc limit ${MOST_MARKS}`.execute(db);
  return rows.map(({ position, id }) => ({ position: Number(position), id })).reverse();
}

async function newestKept(db: Store, marks: readonly FeedMark[]): Promise<number | undefined> {
  const list = JSON.stringify(marks);
  const { rows } = await sql<{ kept: string | null }>`
    select max(position) as kept
    from jsonb_to_recordset(${list}::jsonb) as mark (position bigint, id text)
    where exists (select from events where feed_position = position and events.id::text = mark.id)
      or exists (select from run_events
        where feed_position = position and run_events.id = mark.id)`.execute(db);
  const kept = rows[0]?.kept ?? undefined;
  return kept === undefined ? undefined : Number(kept);
}

/** What the hub reads from the store. Errors are the driver's. */
export interface FeedSource {
  /** Waits until every number taken before the call is settled; returns how far the feed may be read. */
  reach(): Promise<number>;
  /** How far the feed may be read now. */
  look(): Promise<FeedEnd>;
  read(scope: FeedScope, range: FeedRange): Promise<Part<FeedEntry>>;
  audiencesOf(intentIds: readonly string[]): Promise<readonly FeedAudience[]>;
  newestPosition(upTo: number): Promise<number>;
  /** The position of the newest event of this moment. */
  end(): Promise<number>;
  /** The highest number that any writer took. */
  lastTaken(): Promise<number>;
  /** The newest events up to a position, in their order: as many as `MOST_MARKS`. */
  marks(upTo: number): Promise<readonly FeedMark[]>;
  /** The position of the newest of these events that the store still has where it was; undefined if it has none. */
  newestKept(marks: readonly FeedMark[]): Promise<number | undefined>;
  /** Calls back when there may be new events, and when the connection to the store was lost. */
  listen(onNotice: () => void, onLost: () => void): Pick<FeedListener, 'hears' | 'close'>;
}

/** The feed of a store. Its notices are received over a connection to `url`. */
export function feedSourceOf(db: Store, url: string): FeedSource {
  const end = new FeedEndFinder(db);
  return {
    reach: () => end.reach(),
    look: () => end.look(),
    read: (scope, range) => readFeed(db, scope, range),
    audiencesOf: (intentIds) => audiencesOf(db, intentIds),
    lastTaken: () => lastTaken(db),
    newestPosition: (upTo) => newestPosition(db, upTo),
    end: async () => newestPosition(db, await feedEnd(db)),
    marks: (upTo) => marksUpTo(db, upTo),
    newestKept: (marks) => newestKept(db, marks),
    listen: (...callbacks) => new FeedListener(url, db, ...callbacks),
  };
}
