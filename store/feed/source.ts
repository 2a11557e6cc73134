import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/feed.js';
import { toText } from '../column-values.js';
import { withinBytes } from '../queries/bounded.js';
import type { Part } from '../queries/bounded.js';
import { EVENT_COLUMNS, eventOf } from '../queries/event-log.js';
import type { Database, FeedMembersTable, Store } from '../schema.js';
import { FeedEndFinder, feedEnd, lastTaken } from './end.js';
import type { FeedEnd } from './end.js';
import { FeedListener } from './notices.js';
import { readQuestions } from './questions.js';
import type { QuestionScope } from './questions.js';
import { readRuns } from './runs.js';

type Audience = FeedMembersTable['kind'];

/** An agent or portfolio that follows an intent, and up to which position; null without an end. */
export interface FeedAudience extends Readonly<FeedMembersTable> {
  readonly until: number | null;
}

/** A scope that has events of intents. */
type IntentScope = Exclude<FeedScope, { readonly kind: 'run' | 'questions' | 'questions_of' }>;

/** So much of the feed is in memory at once, for each reader that catches up; one event may be larger. */
const PAGE_BYTES = 512 * 1024;

/**
 * The events of a scope in a range of the feed, in the order of the feed: of the logs of intents, of runs, or of both; or the
 * changes of questions. Everything has all three.
 */
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

/** Two parts as one, as far as both were read. */
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
  { after, upTo, limit }: FeedRange,
): Promise<Part<FeedEntry>> {
  const stretch = eventsBetween(db, after, upTo);
  const inSpace =
    scope.kind === 'everything' ? stretch : stretch.where('events.space', '=', toText(scope.space));
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
  const entries = rows.map(
    ({
      feed_position,
      space,
      created_by,
      owner,
      guarded_id,
      guarded_owner,
      access,
      askers,
      ...event
    }) => ({
      position: Number(feed_position),
      space,
      created_by,
      owner,
      guarded: guarded_id === null ? null : { owner: guarded_owner, access, askers },
      event: eventOf(event),
    }),
  );
  return { rows: entries, more };
}

/** The events between two positions, each with what says who may see how much of it. */
function eventsBetween(db: Store, after: number, upTo: number) {
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
    .select(askers().as('askers'))
    .where('events.feed_position', '>', String(after))
    .where('events.feed_position', '<=', String(upTo));
}

/** The intent that an event is about: an event of a portfolio is about the member that it names. */
function aboutIntent() {
  return sql<string | null>`case
    when first.event_type = 'portfolio.created' then events.payload ->> 'intent_id'
    else events.intent_id
  end`;
}

/** Who asks the open question of the intent that an event is about. */
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

/** Who follows these intents, besides their creators: the same filter, from intent to audience. */
export async function audiencesOf(
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

/** The position of the newest event up to a number, of an intent or of a run, or of a change of a question; 0 without one. */
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
  /** Calls back when there may be new events. */
  listen(onNotice: () => void): Pick<FeedListener, 'hears' | 'close'>;
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
    listen: (onNotice) => new FeedListener(url, db, onNotice),
  };
}
