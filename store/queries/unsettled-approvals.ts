import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { notAmong } from './unsettled.js';
import type { StoredQuestion } from './unsettled.js';

/** Where a page of waiting approvals ended. */
export interface WaitingKey extends StoredQuestion {
  readonly created_at: string;
}

/** Approvals of all spaces that wait and were asked for until an instant (ISO-8601), oldest first. */
export async function waitingApprovals(
  db: Store,
  {
    until,
    after,
    limit,
  }: { readonly until: string; readonly after?: WaitingKey; readonly limit: number },
): Promise<readonly WaitingKey[]> {
  let query = db
    .selectFrom('approvals')
    .select(['id', 'space', 'created_at'])
    .where('status', '=', 'pending')
    .where('created_at', '<=', until);
  if (after) {
    const { created_at, id } = after;
    query = query.where(sql<boolean>`(created_at, id) > (${created_at}::timestamptz, ${id})`);
  }
  return query.orderBy('created_at').orderBy('id').limit(limit).execute();
}

/** Those of some approvals, of any space, that the store does not have; or that it does not have as decided. */
export async function approvalsWithout<A extends StoredQuestion>(
  db: Store,
  wanted: readonly A[],
  what: 'a row' | 'a decision',
): Promise<readonly A[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  let query = db.selectFrom('approvals').select(['id', 'space']).where('id', 'in', ids);
  if (what === 'a decision') query = query.where('status', '<>', 'pending');
  return notAmong(wanted, await query.execute());
}

/** The questions of an approval that people can still answer. */
export async function openQuestionsOf(
  db: Store,
  { id, space }: StoredQuestion,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where record #>> '{approval,proposal,approval_id}' = ${id} and space = ${space}
      and state = 'pending'`.execute(db);
  return rows.map((row) => row.id);
}
