import { sql } from 'kysely';
import type { Store } from '../schema.js';

/** A question in its space. */
export interface StoredQuestion {
  readonly id: string;
  readonly space: string;
}

/** Where a page of open questions ended. */
export interface OpenKey extends StoredQuestion {
  readonly suspended_at: string;
}

/** Questions of all spaces that are open and were asked until an instant (ISO-8601), oldest first. */
export async function openQuestions(
  db: Store,
  {
    until,
    after,
    limit,
  }: { readonly until: string; readonly after?: OpenKey; readonly limit: number },
): Promise<readonly OpenKey[]> {
  let query = db
    .selectFrom('suspensions')
    .select(['id', 'space', 'suspended_at'])
    .where('state', '=', 'pending')
    .where('asked_by', 'is not', null)
    .where('suspended_at', '<=', until);
  if (after) {
    const { suspended_at, id } = after;
    query = query.where(sql<boolean>`(suspended_at, id) > (${suspended_at}::timestamptz, ${id})`);
  }
  const rows = await query.orderBy('suspended_at').orderBy('id').limit(limit).execute();
  return rows.map(({ id, space, suspended_at }) => ({
    id,
    space,
    suspended_at: suspended_at ?? '',
  }));
}

/** Those of some questions, of any space, that the store does not show as settled, or does not have. */
export function notSettled<Q extends StoredQuestion>(
  db: Store,
  questions: readonly Q[],
): Promise<readonly Q[]> {
  return without(db, questions, ['settled']);
}

/** Those of some questions, of any space, of which the store has no opening. */
export function notOpened<Q extends StoredQuestion>(
  db: Store,
  questions: readonly Q[],
): Promise<readonly Q[]> {
  return without(db, questions, ['pending', 'settled']);
}

/** Those of some intents, of any space, that the store does not have. */
export async function notCreated<I extends StoredQuestion>(
  db: Store,
  intents: readonly I[],
): Promise<readonly I[]> {
  if (intents.length === 0) return [];
  const ids = intents.map(({ id }) => id);
  const rows = await db
    .selectFrom('intents')
    .select(['id', 'space'])
    .where('id', 'in', ids)
    .execute();
  return notAmong(intents, rows);
}

/** The intents of some questions, of any space, that the store has as they were before their question was asked, or ended. */
export async function intentsBehind(
  db: Store,
  questions: readonly StoredQuestion[],
): Promise<readonly StoredQuestion[]> {
  if (questions.length === 0) return [];
  const ids = questions.map(({ id }) => id);
  return db
    .selectFrom('suspensions as question')
    .innerJoin('intents as intent', (join) =>
      join
        .onRef('intent.id', '=', 'question.intent_id')
        .onRef('intent.space', '=', 'question.space'),
    )
    .select(['intent.id', 'intent.space'])
    .distinct()
    .where('question.id', 'in', ids)
    .whereRef('intent.updated_at', '<', (eb) =>
      eb.fn.coalesce('question.settled_at', 'question.suspended_at'),
    )
    .execute();
}

/** Whether the store has an open question as it was before a revision of its progress. */
export async function isBehind(
  db: Store,
  { id, space }: StoredQuestion,
  revision: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('suspensions')
    .select('id')
    .where('id', '=', id)
    .where('space', '=', space)
    .where('state', '=', 'pending')
    .where('progress_revision', '<', revision)
    .executeTakeFirst();
  return found !== undefined;
}

/** Those that the store does not show in one of these states. */
async function without<Q extends StoredQuestion>(
  db: Store,
  questions: readonly Q[],
  states: readonly ('pending' | 'settled')[],
): Promise<readonly Q[]> {
  if (questions.length === 0) return [];
  const ids = questions.map(({ id }) => id);
  const rows = await db
    .selectFrom('suspensions')
    .select(['id', 'space'])
    .where('state', 'in', states)
    .where('asked_by', 'is not', null)
    .where('id', 'in', ids)
    .execute();
  return notAmong(questions, rows);
}

/** Those that are not among what was found. */
export function notAmong<T extends StoredQuestion>(
  wanted: readonly T[],
  found: readonly StoredQuestion[],
): readonly T[] {
  const shown = new Set(found.map(({ id, space }) => `${space}/${id}`));
  return wanted.filter(({ id, space }) => !shown.has(`${space}/${id}`));
}

/** Whether the store has the end of a suspension, as `findSettled` would read it. */
export async function isSettledHere(db: Store, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('suspensions')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'settled')
    .where('settled_revision', '>', 0)
    .where('asked_by', 'is not', null)
    .where('schedule', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}
