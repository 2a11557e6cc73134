import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type {
  InboxCounts,
  InboxEntry,
  InboxFilter,
  InboxSort,
} from '../../contracts/suspension-view.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { searchedWords } from '../../contracts/suspension-view.js';
import { decisionOf } from '../../domain/suspension/decision.js';
import { withDelegates } from '../../domain/suspension/delegates.js';
import { toText } from '../column-values.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import type { Store } from '../schema.js';
import { withinBytes } from './bounded.js';
import type { Part } from './bounded.js';
import { inView, textArray } from './inbox-views.js';
import type { InboxView } from './inbox-views.js';

/** The end of a page: the values of its last entry that the sort uses. */
export type InboxKey = readonly (string | number)[];

export interface InboxConditions extends Omit<InboxFilter, 'channel' | 'view'> {
  /** Any of these names; `''` is the default channel. */
  readonly channels?: readonly string[] | undefined;
  /** Everything if it is left out. */
  readonly view?: InboxView | undefined;
}

export interface InboxQuery extends InboxConditions {
  readonly state: 'pending' | 'settled';
  readonly sort: InboxSort;
  readonly limit: number;
  readonly after?: InboxKey | undefined;
}

/** An entry, and the key of a page that ends with it. */
export interface InboxRow {
  readonly entry: InboxEntry;
  readonly key: InboxKey;
}

const EXPIRY = sql<string>`coalesce(expires_at, 'infinity'::timestamptz)`;
/** Of an open question there is no end, which comes after all others. */
const ENDED = sql<string>`coalesce(settled_at, '-infinity'::timestamptz)`;
/** Most first, in the direction of the others. */
const ATTEMPT = sql<number>`(-attempt)`;
const BLOCKS = sql<number>`(-blocks)`;

/** The columns that a sort uses, all in one direction, so that one comparison finds the next page. */
const KEYS: Readonly<Record<InboxSort, readonly RawBuilder<unknown>[]>> = {
  urgency: [EXPIRY, ATTEMPT, BLOCKS, sql`suspended_at`, sql`id`],
  oldest: [sql`suspended_at`, sql`id`],
  newest: [sql`suspended_at`, sql`id`],
  settled: [ENDED, sql`id`],
};
const TYPES: Readonly<Record<InboxSort, readonly string[]>> = {
  urgency: ['timestamptz', 'integer', 'integer', 'timestamptz', 'text'],
  oldest: ['timestamptz', 'text'],
  newest: ['timestamptz', 'text'],
  settled: ['timestamptz', 'text'],
};

/**
 * A page of suspensions, as many as its bytes allow. A page goes on after the values of the row before, so whatever happens to
 * other rows in between, it neither repeats nor misses one. `oldest` and `newest` use nothing that changes while a question
 * is open, and `settled` nothing that changes later. By `urgency` a question moves when it reaches an attempt, or more or less waits for it: it may then be on two
 * pages or on none, and the stream of changes names it.
 */
export async function listSuspensions(db: Store, query: InboxQuery): Promise<Part<InboxRow>> {
  const { state, sort, limit, after } = query;
  const columns = KEYS[sort];
  const descending = isDescending(sort);
  const found = db.selectFrom('suspensions').where('state', '=', state).where(conditionsOf(query));
  const rest = after === undefined ? found : found.where(beyond(sort, after));
  const inOrder = columns
    .reduce((page, column) => page.orderBy(column, descending ? 'desc' : 'asc'), rest)
    .select([
      'id',
      'intent_id',
      'asked_by',
      'state',
      'record',
      'suspended_at',
      'expires_at',
      'settled_at',
    ])
    .select(['attempt', 'max_attempts', 'next_attempt_at', 'votes', 'eligibility', 'blocks'])
    .select(['claim', 'comment_count', 'delegates', 'bytes'])
    .limit(limit + 1);
  const page = await withinBytes(db, inOrder, limit, LIMITS.pageBytes);
  const rows = page.rows.flatMap(
    ({ suspended_at, expires_at, settled_at, votes, eligibility, delegates, ...row }) => {
      const { intent_id, asked_by } = row;
      if (asked_by === null || suspended_at === null) return [];
      const isOver = row.state === 'settled';
      const next_attempt_at = isOver ? null : row.next_attempt_at;
      const claim = isOver ? null : row.claim;
      const age = [suspended_at, row.id];
      const urgency = [expires_at ?? 'infinity', 0 - row.attempt, 0 - row.blocks, ...age];
      const end = [settled_at ?? '-infinity', row.id];
      const key = { urgency, settled: end, oldest: age, newest: age }[sort];
      const decision = decisionOf(row.record, row.attempt, votes, eligibility);
      const rule = withDelegates(decision.rule, delegates);
      const entry = { ...row, ...decision, rule, claim, intent_id, asked_by, next_attempt_at };
      return [{ entry, key }];
    },
  );
  return { rows, more: page.more };
}

/** The records of these questions, as far as the store knows how they were asked. */
export async function recordsOf(
  db: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SuspensionRecord>> {
  const rows = await db
    .selectFrom('suspensions')
    .select(['id', 'record'])
    .where('id', 'in', ids)
    .where('asked_by', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** How many suspensions are pending, responded, expired and cancelled. */
export async function countSuspensions(
  db: Store,
  conditions: InboxConditions,
): Promise<InboxCounts> {
  const rows = await db
    .selectFrom('suspensions')
    .where(conditionsOf(conditions))
    .select(['resolution', sql<number>`count(*)::integer`.as('count')])
    .groupBy('resolution')
    .execute();
  const of = (kind: string | null) =>
    rows.find(({ resolution }) => resolution === kind)?.count ?? 0;
  const settled = { responded: of('responded'), expired: of('expired') };
  return { pending: of(null), ...settled, cancelled: of('cancelled') };
}

/** Which of these suspensions do not have the expected state in the store yet. */
export async function idsNotInState(
  db: Store,
  wanted: ReadonlyMap<string, 'pending' | 'settled'>,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('suspensions')
    .select(['id', 'state'])
    .where('id', 'in', [...wanted.keys()])
    .where('asked_by', 'is not', null)
    .execute();
  const reached = new Map(rows.map(({ id, state }) => [id, state]));
  return [...wanted].flatMap(([id, state]) => {
    const stored = reached.get(id);
    return stored === 'settled' || stored === state ? [] : [id];
  });
}

/** The conditions on a row; a suspension is in no list before its opening is stored, and a pause only where it is asked for. */
function conditionsOf(query: InboxConditions): RawBuilder<boolean> {
  const { resolution, channels, recipient, response_type, asked_by, intent_id, text } = query;
  const { reason = 'human_input', view, group } = query;
  const all = [sql<boolean>`asked_by is not null`];
  all.push(reason === 'human_input' ? sql`pause_reason is null` : sql`pause_reason = ${reason}`);
  if (resolution !== undefined) all.push(sql`resolution = ${resolution}`);
  if (response_type !== undefined) all.push(sql`response_type = ${response_type}`);
  if (asked_by !== undefined) all.push(sql`asked_by = ${toText(asked_by)}`);
  if (intent_id !== undefined) all.push(sql`intent_id = ${intent_id}`);
  if (view !== undefined) all.push(inView(view));
  if (group !== undefined) all.push(inView({ kind: 'groups', groups: [group] }));
  if (channels !== undefined) all.push(sql`asked_channels && ${textArray(channels)}`);
  if (recipient !== undefined) all.push(sql`asked_recipients @> ${textArray([recipient])}`);
  if (text !== undefined) all.push(hasParts(text));
  return sql.join(all, sql` and `);
}

/**
 * Whether question and context have each word of the text somewhere, as a part of any word; folded as both are. The index finds
 * the rows that may have them, and a look at each whether they do. A text of which folding leaves nothing finds nothing.
 */
function hasParts(text: string): RawBuilder<boolean> {
  const each = searchedWords(text).map(
    (word) => sql`strpos(searched, holdpoint_folded(${toText(word)})) > 0`,
  );
  return sql<boolean>`${sql.join([sql`grams @@ holdpoint_wanted(${toText(text)})`, ...each], sql` and `)}`;
}

function isDescending(sort: InboxSort): boolean {
  return sort === 'newest' || sort === 'settled';
}

function beyond(sort: InboxSort, after: InboxKey): RawBuilder<boolean> {
  const types = TYPES[sort];
  const values = after.map((value, i) => sql`${value}::${sql.raw(types[i] ?? 'text')}`);
  const comparison = sql.raw(isDescending(sort) ? '<' : '>');
  return sql<boolean>`(${sql.join(KEYS[sort])}) ${comparison} (${sql.join(values)})`;
}
