import {
  isQuestionChange,
  type FeedEntry,
  type FeedRange,
  type FeedScope,
} from '../../contracts/subscription/feed.js';
import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';
import { asHashed } from '../../domain/log/seal.js';
import { toText } from '../column-values.js';
import { withinBytes, type Part } from '../queries/bounded.js';
import { RUN_EVENT_COLUMNS } from '../queries/run-log.js';
import type { Database, FeedMembersTable, Store } from '../schema.js';
import { EVENT_COLUMNS, eventOf } from '../queries/event-log.js';
import { FeedEndFinder, feedEnd, lastTaken, type FeedEnd } from './end.js';
import { FeedListener } from './notices.js';

interface FeedMark {
  readonly position: number;
  readonly id: string;
}

/** How many events a reader remembers: more than a failover loses, and few enough for one query. */
export const MOST_MARKS = 1_000;

/**
 * The newest events that a reader has had. A store that failed over may have lost the last of them, and issues their
 * numbers again: the reader has to continue at the newest mark that still exists. Changes of questions leave no mark,
 * because a question moves.
 */
export class FeedMarks {
  private marks: readonly FeedMark[] = [];

  get all(): readonly FeedMark[] {
    return this.marks;
  }

  get newest(): number | undefined {
    return this.marks.at(-1)?.position;
  }

  /** Begins with the newest events of the store, in their order. */
  begin(marks: readonly FeedMark[]): void {
    this.marks = marks;
  }

  add(entries: readonly FeedEntry[]): void {
    const added = entries.flatMap(({ position, event }) =>
      isQuestionChange(event) ? [] : [{ position, id: event.id }],
    );
    this.marks = [...this.marks, ...added].slice(-MOST_MARKS);
  }

  goBack(to: number): void {
    this.marks = this.marks.filter(({ position }) => position <= to);
  }
}

/** A scope with changes of questions: all, those of a space, or those that one principal asked. */
type QuestionScope = Extract<
  FeedScope,
  { readonly kind: 'everything' | 'questions' | 'questions_of' }
>;

/** A scope with events of runs: all, those of a space, of one run, or of the runs in which an agent asks. */
type RunScope = Exclude<FeedScope, { readonly kind: 'intent' | 'portfolio' }>;

/** Whether a row of a table is in a range of the feed, and in the space of the scope. */
function isInRange(
  table: 'events' | 'run_events' | 'suspensions',
  scope: FeedScope,
  { after, upTo }: FeedRange,
): RawBuilder<boolean> {
  const position = sql.ref(`${table}.feed_position`);
  const range = sql<boolean>`${position} > ${String(after)}::bigint and ${position} <= ${String(upTo)}::bigint`;
  if (scope.kind === 'everything') return range;
  return sql<boolean>`${range} and ${sql.ref(`${table}.space`)} = ${toText(scope.space)}`;
}

/**
 * Returns the changes of questions in a range of the feed, in its order. A question has one position, that of its
 * latest change, so a reader that continues after any position gets every question that has changed since. Pauses
 * have none.
 */
async function readQuestions(
  db: Store,
  scope: QuestionScope,
  range: FeedRange,
): Promise<Part<FeedEntry>> {
  const { limit } = range;
  const inScope = db
    .selectFrom('suspensions')
    .select(['id', 'state', 'change', 'space', 'asked_by', 'feed_position'])
    .where(isInRange('suspensions', scope, range));
  const ofAsker =
    scope.kind === 'questions_of' ? inScope.where('asked_by', '=', toText(scope.id)) : inScope;
  const rows = await ofAsker
    .orderBy('feed_position')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ id, state, change, ...row }) => ({
    position: Number(row.feed_position),
    space: row.space,
    created_by: row.asked_by,
    owner: null,
    guarded: null,
    event: { suspension_id: id, state, change: change ?? 'other' },
  }));
  return { rows: entries, more: rows.length > limit };
}

/** Returns the events of runs in a range of the feed, in its order: as many as fit into `bytes`, and at least one. */
async function readRuns(
  db: Store,
  scope: RunScope,
  range: FeedRange,
  bytes: number,
): Promise<Part<FeedEntry>> {
  const { limit } = range;
  const inScope = db
    .selectFrom('run_events')
    .select([...RUN_EVENT_COLUMNS, 'feed_position', 'space', 'asked_as', 'bytes'])
    .where(isInRange('run_events', scope, range))
    // Within one run both orders are the same, and this one uses the index of its log.
    .orderBy(scope.kind === 'run' ? 'sequence' : 'feed_position')
    .limit(limit + 1);
  const column = { run: 'run_id', agent: 'asked_as' } as const;
  const inOrder =
    scope.kind === 'run' || scope.kind === 'agent'
      ? inScope.where(column[scope.kind], '=', toText(scope.id))
      : inScope;
  const { rows, more } = await withinBytes(db, inOrder, limit, bytes);
  const entries = rows.map(({ feed_position, space, asked_as, ...event }) => ({
    position: Number(feed_position),
    space,
    created_by: asked_as,
    owner: null,
    guarded: null,
    event: asHashed(event),
  }));
  return { rows: entries, more };
}

type Audience = FeedMembersTable['kind'];

/** An agent or portfolio that follows an intent, and the last position that it follows; null without an end. */
export interface FeedAudience extends Readonly<FeedMembersTable> {
  readonly until: number | null;
}

type IntentScope = Exclude<FeedScope, { readonly kind: 'run' | 'questions' | 'questions_of' }>;

/** The most bytes of the feed in memory for each reader that catches up; a single event may be larger. */
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

/** Selects the events, each with the columns that decide who may see how much of it. */
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

/** Selects the intent that an event is about; for an event of a portfolio, the member that it names. */
function aboutIntent() {
  return sql<string | null>`case
    when first.event_type = 'portfolio.created' then events.payload ->> 'intent_id'
    else events.intent_id
  end`;
}

/** Selects the asker of the open question of that intent. */
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
 * Selects the intents of an agent, with those that it created, or of a portfolio, with its own log and former
 * members.
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

/** Returns the newest position up to a number, of an event or of a change of a question; 0 without one. */
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
  look(): Promise<FeedEnd>;
  read(scope: FeedScope, range: FeedRange): Promise<Part<FeedEntry>>;
  audiencesOf(intentIds: readonly string[]): Promise<readonly FeedAudience[]>;
  newestPosition(upTo: number): Promise<number>;
  end(): Promise<number>;
  lastTaken(): Promise<number>;
  /** The newest events up to a position, in their order: as many as `MOST_MARKS`. */
  marks(upTo: number): Promise<readonly FeedMark[]>;
  /** Returns the newest of these positions at which the store still has the same event; undefined without one. */
  newestKept(marks: readonly FeedMark[]): Promise<number | undefined>;
  /** Calls back when there may be new events, and when the connection to the store was lost. */
  listen(onNotice: () => void, onLost: () => void): Pick<FeedListener, 'hears' | 'close'>;
}

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
