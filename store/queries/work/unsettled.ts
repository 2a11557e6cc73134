import { sql, type RawBuilder } from 'kysely';
import type { EntityType } from '../../../contracts/constants/names.js';
import type { EntityKey } from '../../../contracts/kernel/primitives.js';
import type { Store } from '../../schema.js';
import { isAny } from '../bounded.js';

/** A question or an approval that waits, and the instant at which it was asked (ISO-8601). */
export interface WaitingKey extends EntityKey {
  readonly asked_at: string;
}

/** A page of what was asked until an instant (ISO-8601). */
interface WaitingPage {
  readonly until: string;
  readonly after?: WaitingKey;
  readonly limit: number;
}

/** Returns questions of all spaces that are open, oldest first. */
export function openQuestions(db: Store, page: WaitingPage): Promise<readonly WaitingKey[]> {
  const open = sql<boolean>`state = 'pending' and asked_by is not null`;
  return waiting(db, 'suspensions', sql.ref('suspended_at'), open, page);
}

/** Returns questions of all spaces that were settled between two instants (ISO-8601), oldest first; `asked_at` is the end. */
export function settledBetween(
  db: Store,
  {
    from,
    to,
    ...page
  }: { readonly from: string; readonly to: string } & Omit<WaitingPage, 'until'>,
): Promise<readonly WaitingKey[]> {
  const settled = sql<boolean>`state = 'settled' and settled_at >= ${from}::timestamptz`;
  return waiting(db, 'suspensions', sql.ref('settled_at'), settled, { ...page, until: to });
}

/** Returns approvals of all spaces that are undecided, oldest first. */
export function waitingApprovals(db: Store, page: WaitingPage): Promise<readonly WaitingKey[]> {
  const undecided = sql<boolean>`status = 'pending'`;
  return waiting(db, 'approvals', sql.ref('created_at'), undecided, page);
}

/** A failed task counts as over here: whoever waits for it already knows. */
const ENTITIES = {
  intent: ['intents', 'created_at', sql`status in ('completed', 'abandoned')`],
  plan: ['plans', 'created_at', sql`state in ('completed', 'failed', 'cancelled')`],
  task: ['tasks', 'created_at', sql`status in ('completed', 'failed', 'cancelled', 'skipped')`],
  portfolio: ['portfolios', 'created_at', sql`status <> 'active'`],
  coordinator: [
    'coordinators',
    'granted_at',
    sql`record ->> 'status' in ('failed_over', 'completed')`,
  ],
} as const satisfies Readonly<Record<EntityType, readonly [Placed, string, RawBuilder<unknown>]>>;

/** Returns things of a kind, of all spaces, that have not ended, oldest first. */
export function openEntities(
  db: Store,
  type: EntityType,
  page: WaitingPage,
): Promise<readonly WaitingKey[]> {
  const [table, at, isOver] = ENTITIES[type];
  return waiting(db, table, sql.ref(at), sql`not (${isOver})`, page);
}

/** Returns the things on a page, of any space, that are stored as not ended. */
export async function stillOpen<E extends EntityKey & { readonly type: EntityType }>(
  db: Store,
  type: EntityType,
  page: readonly E[],
): Promise<readonly E[]> {
  const wanted = page.filter((one) => one.type === type);
  if (wanted.length === 0) return [];
  const [table, , isOver] = ENTITIES[type];
  const { rows } = await sql<EntityKey>`
    select id, space from ${sql.table(table)}
    where id in (${sql.join(wanted.map(({ id }) => id))}) and not (${isOver})`.execute(db);
  const open = new Set(rows.map(({ id, space }) => `${space}/${id}`));
  return wanted.filter(({ id, space }) => open.has(`${space}/${id}`));
}

type Placed =
  'suspensions' | 'approvals' | 'intents' | 'plans' | 'tasks' | 'portfolios' | 'coordinators';

const FIRST: WaitingKey = { asked_at: '-infinity', id: '', space: '' };

async function waiting(
  db: Store,
  table: Placed,
  at: RawBuilder<unknown>,
  isOpen: RawBuilder<boolean>,
  { until, after: { asked_at, id } = FIRST, limit }: WaitingPage,
): Promise<readonly WaitingKey[]> {
  const { rows } = await sql<WaitingKey>`
    select id, space, ${at} as asked_at from ${sql.table(table)}
    where ${isOpen} and ${at} <= ${until}::timestamptz
      and (${at}, id) > (${asked_at}::timestamptz, ${id})
    order by ${at}, id limit ${limit}`.execute(db);
  return rows;
}

const IS_OPENED = sql<boolean>`asked_by is not null`;

/** Returns the questions, of any space, that the store lacks, or that are not settled in it. */
export function notSettled<Q extends EntityKey>(
  db: Store,
  questions: readonly Q[],
): Promise<readonly Q[]> {
  return without(db, 'suspensions', questions, sql`${IS_OPENED} and state = 'settled'`);
}

/** Returns the questions, of any space, that were settled in the store until an instant. */
export async function settledOf<Q extends EntityKey>(
  db: Store,
  questions: readonly Q[],
  until: string,
): Promise<readonly Q[]> {
  const settled = sql`state = 'settled' and settled_at <= ${until}::timestamptz`;
  const open = new Set(await without(db, 'suspensions', questions, settled));
  return questions.filter((question) => !open.has(question));
}

/** Returns the questions, of any space, whose opening the store lacks. */
export function notOpened<Q extends EntityKey>(
  db: Store,
  questions: readonly Q[],
): Promise<readonly Q[]> {
  return without(db, 'suspensions', questions, IS_OPENED);
}

/** Returns the intents, of any space, that the store lacks. */
export function notCreated<I extends EntityKey>(
  db: Store,
  intents: readonly I[],
): Promise<readonly I[]> {
  return without(db, 'intents', intents);
}

/** Returns the approvals, of any space, that the store lacks, or that are undecided in it. */
export function approvalsWithout<A extends EntityKey>(
  db: Store,
  wanted: readonly A[],
  what: 'a row' | 'a decision',
): Promise<readonly A[]> {
  return without(db, 'approvals', wanted, what === 'a row' ? undefined : sql`status <> 'pending'`);
}

/** Returns the things for which no row of a table meets a condition. */
async function without<T extends EntityKey>(
  db: Store,
  table: Placed,
  wanted: readonly T[],
  condition: RawBuilder<unknown> = sql`true`,
): Promise<readonly T[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<EntityKey>`
    select id, space from ${sql.table(table)}
    where id in (${sql.join(wanted.map(({ id }) => id))}) and ${condition}`.execute(db);
  const stored = new Set(rows.map(({ id, space }) => `${space}/${id}`));
  return wanted.filter(({ id, space }) => !stored.has(`${space}/${id}`));
}

/**
 * Returns the intents whose stored row is older than the asking or the end of one of these questions, until an
 * instant.
 */
export async function intentsBehind(
  db: Store,
  questions: readonly EntityKey[],
  until: string,
): Promise<readonly EntityKey[]> {
  if (questions.length === 0) return [];
  const changed = sql`coalesce(question.settled_at, question.suspended_at)`;
  const { rows } = await sql<EntityKey>`
    select distinct intent.id, intent.space from suspensions question
    join intents intent on intent.id = question.intent_id and intent.space = question.space
    where question.id in (${sql.join(questions.map(({ id }) => id))})
      and intent.updated_at < ${changed} and ${changed} <= ${until}::timestamptz`.execute(db);
  return rows;
}

/** Whether the stored row of an open question is older than a revision of its progress. */
export function isBehind(db: Store, { id, space }: EntityKey, revision: number): Promise<boolean> {
  const behind = sql`
    select from suspensions where id = ${id} and space = ${space}
      and state = 'pending' and progress_revision < ${revision}`;
  return isAny(db, behind);
}

export async function openQuestionsOf(
  db: Store,
  { id, space }: EntityKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where record #>> '{approval,proposal,approval_id}' = ${id} and space = ${space}
      and state = 'pending'`.execute(db);
  return rows.map((row) => row.id);
}

/** Whether the store has the end of a suspension, as `findSettled` would read it. */
export function isSettledHere(db: Store, id: string): Promise<boolean> {
  const settled = sql`
    select from suspensions where id = ${id} and state = 'settled' and settled_revision > 0
      and ${IS_OPENED} and schedule is not null`;
  return isAny(db, settled);
}
