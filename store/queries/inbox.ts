import { sql, type RawBuilder } from 'kysely';
import type { Caller } from '../../contracts/people/caller.js';
import { authorize, mayAll } from '../../domain/policy/authorize.js';
import { toJsonText, toText } from '../column-values.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import {
  searchedWords,
  type InboxCounts,
  type InboxEntry,
  type InboxFilter,
  type InboxSort,
} from '../../contracts/suspension/view.js';
import { decisionOf } from '../../domain/suspension/answering/decision.js';
import { withDelegates } from '../../domain/suspension/people/delegates.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { Store } from '../schema.js';
import { withinBytes, type Part } from './bounded.js';
import { isSnoozed, type Snoozing } from './people/snooze.js';

/** The part of an inbox that a view shows. */
export type InboxView =
  | {
      /** Open questions that the caller may answer by their rules, and has not voted on. */
      readonly kind: 'for_me';
      readonly by: Caller;
      /** Whether the asker, and the user asked for, may not answer. */
      readonly separation_of_duties: boolean;
      /** Whether the caller may answer only questions asked on its own behalf. */
      readonly as_initiator: boolean;
    }
  /** Open questions that somebody holds an unexpired claim on. */
  | { readonly kind: 'claimed'; readonly holder: string; readonly now: string }
  /** Questions on which an answer of somebody counts, open or settled. */
  | { readonly kind: 'answered'; readonly answerer: string }
  /** Questions whose rules name one of these groups, or that were delegated to one. */
  | { readonly kind: 'groups'; readonly groups: readonly string[] };

/** Returns the view of what waits for a caller; undefined if the caller may answer nothing. */
export function forMeOf(caller: Caller, separation_of_duties: boolean): InboxView | undefined {
  if (!authorize(caller, 'respond').ok) return undefined;
  const { space, principal, roles, groups } = caller;
  return {
    kind: 'for_me',
    by: { space, principal, roles, groups },
    separation_of_duties,
    as_initiator: !mayAll(caller, 'respond'),
  };
}

/** Whether a row is in a view. The columns are made by `rules` of the baseline's `suspensions.ts`. */
export function inView(view: InboxView): RawBuilder<boolean> {
  if (view.kind === 'groups') {
    const { groups } = view;
    return sql<boolean>`(${names(groups.map((group) => `g:${group}`))} or ${isForOneOf(groups)})`;
  }
  if (view.kind === 'claimed') {
    return sql<boolean>`state = 'pending' and claim ->> 'holder' = ${toText(view.holder)}
      and (claim ->> 'expires_at')::timestamptz > ${view.now}::timestamptz`;
  }
  if (view.kind === 'answered') {
    // The index leaves out what nobody has answered.
    return sql<boolean>`answered_by <> '{}' and answered_by @> ${textArray([view.answerer])}`;
  }
  const { by, separation_of_duties, as_initiator } = view;
  const me = toText(by.principal);
  const all = [
    sql<boolean>`state = 'pending' and pause_reason is null`,
    sql<boolean>`(${names(['*', ...namesOf(by)])} or ${isDelegatedTo(by)})`,
    sql<boolean>`not closed_to @> ${textArray([by.principal])}`,
  ];
  if (separation_of_duties) all.push(isNoAsker(me));
  if (as_initiator) all.push(sql`record #>> '{approval,proposal,on_behalf_of}' = ${me}`);
  return sql.join(all, sql` and `);
}

/**
 * Whether the question was delegated to a caller, by name or by a group; null without a delegation. By a group,
 * neither the askers nor the delegating person of the group may answer.
 */
export function isDelegatedTo({ principal, groups }: Caller): RawBuilder<boolean> {
  const [me, all] = [toText(principal), toJsonText([principal])];
  const byName = sql<boolean>`delegates @> ${all}::jsonb`;
  if (groups.length === 0) return byName;
  return sql<boolean>`(
    ${byName} or (
      ${isForOneOf(groups)} and ${isNoAsker(me)} and exists (
        select from jsonb_each(delegate_groups) passed (name, makers)
        where name = any(${textArray(groups)}) and makers <> ${all}::jsonb
      )
    )
  )`;
}

/** Whether the question was delegated to one of these groups; null without a delegation to a group. */
function isForOneOf(groups: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`delegate_groups ?| ${textArray(groups)}`;
}

/** Whether a principal has not asked the question, in whatever name, and is not the user that it was asked for. */
function isNoAsker(me: string): RawBuilder<boolean> {
  return sql<boolean>`asked_by <> ${me} and asked_as is distinct from ${me}
    and record ->> 'on_behalf_of' is distinct from ${me}`;
}

/** Whether the rule of a row names one of these. */
function names(any: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`eligible && ${textArray(any)}`;
}

/** Returns the names by which a rule may mean a caller. */
function namesOf({ principal, roles, groups }: Caller): readonly string[] {
  return [
    `p:${principal}`,
    ...roles.map((role) => `r:${role}`),
    ...groups.map((group) => `g:${group}`),
  ];
}

export function textArray(values: readonly string[]): RawBuilder<unknown> {
  return sql`${values.map(toText)}::text[]`;
}

/** The end of a page: the values of its last entry in the sort columns. */
export type InboxKey = readonly (string | number)[];

export interface InboxConditions extends Omit<InboxFilter, 'channel' | 'view'> {
  /** Any of these names; `''` is the default channel. */
  readonly channels?: readonly string[] | undefined;
  /** Everything is listed without it. */
  readonly view?: InboxView | undefined;
  /** Whose snoozes hide questions, or are shown alone; without it no snooze counts. */
  readonly snoozed?: (Snoozing & { readonly are: 'left out' | 'shown' }) | undefined;
}

export interface InboxQuery extends InboxConditions {
  readonly state: 'pending' | 'settled';
  readonly sort: InboxSort;
  readonly limit: number;
  readonly after?: InboxKey | undefined;
}

export interface InboxRow {
  readonly entry: InboxEntry;
  readonly key: InboxKey;
}

const EXPIRY = sql<string>`coalesce(expires_at, 'infinity'::timestamptz)`;
/** An open question has no end, and comes after all others. */
const ENDED = sql<string>`coalesce(settled_at, '-infinity'::timestamptz)`;
/** Negative, so that the highest come first in the direction of the others. */
const ATTEMPT = sql<number>`(-attempt)`;

const AGE = [sql`suspended_at`, sql`id`];
/** The columns that a sort uses, all in one direction, so that one comparison finds the next page. */
const KEYS: Readonly<Record<InboxSort, readonly RawBuilder<unknown>[]>> = {
  urgency: [EXPIRY, ATTEMPT, ...AGE],
  oldest: AGE,
  newest: AGE,
  asker: [sql`asked_by`, ...AGE],
  risk: [sql`risk`, EXPIRY, ...AGE],
  settled: [ENDED, sql`id`],
};
const BY_TIME = ['timestamptz', 'text'];
const TYPES: Readonly<Record<InboxSort, readonly string[]>> = {
  urgency: ['timestamptz', 'integer', ...BY_TIME],
  oldest: BY_TIME,
  newest: BY_TIME,
  asker: ['text', ...BY_TIME],
  risk: ['integer', 'timestamptz', ...BY_TIME],
  settled: BY_TIME,
};

/**
 * Returns a page of suspensions, as many as its bytes allow. The next page starts after the sort values of the last row, so
 * changes to other rows make it neither repeat nor miss one. The values of `oldest`, `newest`, `asker` and `settled` never
 * change within a list. By `urgency` a question moves when it reaches an attempt, and by `risk` when its proposal is
 * edited: it may then be on two pages or on none, and the stream of changes names it.
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
    .select(['attempt', 'max_attempts', 'next_attempt_at', 'votes', 'eligibility'])
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
      urgency: [expiry, 0 - row.attempt, ...age],
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

/** Reads the range from the primary key, in any collation: `g` comes after each character of an id. */
function beginsWith(prefix: string): RawBuilder<boolean> {
  return sql<boolean>`id >= ${prefix} and id < ${`${prefix}g`} and starts_with(id, ${prefix})`;
}

/**
 * Whether question and context contain each word of the text, also inside a longer word, after folding. The index
 * finds candidates, and a comparison decides. A text that folding makes empty finds nothing.
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
