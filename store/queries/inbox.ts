import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type {
  InboxCounts,
  InboxEntry,
  InboxFilter,
  InboxSort,
} from '../../contracts/suspension/view.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { searchedWords } from '../../contracts/suspension/view.js';
import { decisionOf } from '../../domain/suspension/answering/decision.js';
import { withDelegates } from '../../domain/suspension/people/delegates.js';
import { toText } from '../column-values.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { Store } from '../schema.js';
import { withinBytes } from './bounded.js';
import type { Part } from './bounded.js';
import { inView, textArray } from './inbox-views.js';
import type { InboxView } from './inbox-views.js';
import { isSnoozed } from './snooze.js';
import type { Snoozing } from './snooze.js';

/** The end of a page: the values of its last entry in the sort columns. */
export type InboxKey = readonly (string | number)[];

export interface InboxConditions extends Omit<InboxFilter, 'channel' | 'view'> {
  /** Any of these names; `''` is the default channel. */
  readonly channels?: readonly string[] | undefined;
  /** Everything if it is left out. */
  readonly view?: InboxView | undefined;
  /** Whose snoozes leave questions out, or are all that is shown; none count if it is left out. */
  readonly snoozed?: (Snoozing & { readonly are: 'left out' | 'shown' }) | undefined;
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
/** An open question has no end, and comes after all others. */
const ENDED = sql<string>`coalesce(settled_at, '-infinity'::timestamptz)`;
/** Negative, so that the highest come first in the direction of the others. */
const ATTEMPT = sql<number>`(-attempt)`;
const BLOCKS = sql<number>`(-blocks)`;

const AGE = [sql`suspended_at`, sql`id`];
/** The columns that a sort uses, all in one direction, so that one comparison finds the next page. */
const KEYS: Readonly<Record<InboxSort, readonly RawBuilder<unknown>[]>> = {
  urgency: [EXPIRY, ATTEMPT, BLOCKS, ...AGE],
  oldest: AGE,
  newest: AGE,
  asker: [sql`asked_by`, ...AGE],
  risk: [sql`risk`, EXPIRY, ...AGE],
  settled: [ENDED, sql`id`],
};
const BY_TIME = ['timestamptz', 'text'];
const TYPES: Readonly<Record<InboxSort, readonly string[]>> = {
  urgency: ['timestamptz', 'integer', 'integer', ...BY_TIME],
  oldest: BY_TIME,
  newest: BY_TIME,
  asker: ['text', ...BY_TIME],
  risk: ['integer', 'timestamptz', ...BY_TIME],
  settled: BY_TIME,
};

/**
 * Returns a page of suspensions, as many as its bytes allow. The next page starts after the sort values of the last row, so
 * changes to other rows make it neither repeat nor miss one. The values of `oldest`, `newest`, `asker` and `settled` never
 * change within a list. By `urgency` a question moves when it reaches an attempt or its count of waits changes, and by `risk`
 * when its proposal is edited: it may then be on two pages or on none, and the stream of changes names it.
 */
export async function listSuspensions(db: Store, query: InboxQuery): Promise<Part<InboxRow>> {
  const { state, sort, limit, after } = query;
  const columns = KEYS[sort];
  const descending = isDescending(sort);
  const found = db.selectFrom('suspensions').where('state', '=', state).where(conditionsOf(query));
  const rest = after === undefined ? found : found.where(beyond(sort, after));
  const inOrder = columns
    .reduce((page, column) => page.orderBy(column, descending ? 'desc' : 'asc'), rest)
    .select(['id', 'intent_id', 'asked_by', 'state', 'record'])
    .select(['suspended_at', 'expires_at', 'settled_at'])
    .select(['attempt', 'max_attempts', 'next_attempt_at', 'votes', 'eligibility', 'blocks'])
    .select(['claim', 'comment_count', 'delegates', 'delegate_groups', 'risk', 'bytes'])
    .limit(limit + 1);
  const page = await withinBytes(db, inOrder, limit, LIMITS.pageBytes);
  const rows = page.rows.flatMap(({ delegates, delegate_groups, ...found }) => {
    const { suspended_at, expires_at, settled_at, votes, eligibility, risk, ...row } = found;
    const { intent_id, asked_by } = row;
    if (asked_by === null || suspended_at === null) return [];
    const isOver = row.state === 'settled';
    const next_attempt_at = isOver ? null : row.next_attempt_at;
    const claim = isOver ? null : row.claim;
    const age = [suspended_at, row.id];
    const expiry = expires_at ?? 'infinity';
    const key = {
      urgency: [expiry, 0 - row.attempt, 0 - row.blocks, ...age],
      oldest: age,
      newest: age,
      asker: [asked_by, ...age],
      risk: [risk, expiry, ...age],
      settled: [settled_at ?? '-infinity', row.id],
    }[sort];
    const decision = decisionOf(row.record, row.attempt, votes, eligibility);
    const rule = withDelegates(decision.rule, { delegates, delegate_groups });
    const entry = { ...row, ...decision, rule, claim, intent_id, asked_by, next_attempt_at };
    return [{ entry, key }];
  });
  return { rows, more: page.more };
}

/** Returns the records of these questions, if their openings are stored. */
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

/** Counts the suspensions that are pending, responded, expired and cancelled. */
export async function countSuspensions(
  db: Store,
  conditions: InboxConditions,
): Promise<InboxCounts> {
  const found = db.selectFrom('suspensions').where(conditionsOf(conditions));
  // The index by asker begins with the state.
  const states = conditions.asked_by === undefined ? [] : (['pending', 'settled'] as const);
  const rows = await (states.length === 0 ? found : found.where('state', 'in', states))
    .select(['resolution', sql<number>`count(*)::integer`.as('count')])
    .groupBy('resolution')
    .execute();
  const of = (kind: string | null) =>
    rows.find(({ resolution }) => resolution === kind)?.count ?? 0;
  return {
    pending: of(null),
    responded: of('responded'),
    expired: of('expired'),
    cancelled: of('cancelled'),
  };
}

/** Returns the suspensions that do not yet have the expected state in the store. */
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

/** The conditions on a row. Suspensions without a stored opening are never listed, and pauses only on request. */
function conditionsOf(query: InboxConditions): RawBuilder<boolean> {
  const { resolution, channels, recipient, response_type, asked_by, intent_id, text } = query;
  const { reason = 'human_input', view, group, snoozed, id_prefix } = query;
  const all = [sql<boolean>`asked_by is not null`];
  all.push(reason === 'human_input' ? sql`pause_reason is null` : sql`pause_reason = ${reason}`);
  if (resolution !== undefined) all.push(sql`resolution = ${resolution}`);
  if (response_type !== undefined) all.push(sql`response_type = ${response_type}`);
  if (asked_by !== undefined) all.push(sql`asked_by = ${toText(asked_by)}`);
  if (intent_id !== undefined) all.push(sql`intent_id = ${intent_id}`);
  if (view !== undefined) all.push(inView(view));
  if (snoozed !== undefined) {
    all.push(snoozed.are === 'shown' ? isSnoozed(snoozed) : sql`not ${isSnoozed(snoozed)}`);
  }
  if (group !== undefined) all.push(inView({ kind: 'groups', groups: [group] }));
  if (channels !== undefined) all.push(sql`asked_channels && ${textArray(channels)}`);
  if (recipient !== undefined) all.push(sql`asked_recipients @> ${textArray([recipient])}`);
  if (text !== undefined) all.push(hasParts(text));
  if (id_prefix !== undefined) all.push(beginsWith(id_prefix.toLowerCase()));
  return sql.join(all, sql` and `);
}

/** The range is read from the primary key, in any collation: `g` comes after each character of an id. */
function beginsWith(prefix: string): RawBuilder<boolean> {
  return sql<boolean>`id >= ${prefix} and id < ${`${prefix}g`} and starts_with(id, ${prefix})`;
}

/**
 * Whether question and context contain each word of the text, also as part of a longer word, after folding both. The index
 * finds candidates, and a comparison decides. A text that folding leaves empty finds nothing.
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
  const values = after.map(
    (value, i) =>
      sql`${typeof value === 'string' ? toText(value) : value}::${sql.raw(types[i] ?? 'text')}`,
  );
  const comparison = sql.raw(isDescending(sort) ? '<' : '>');
  return sql<boolean>`(${sql.join(KEYS[sort])}) ${comparison} (${sql.join(values)})`;
}
