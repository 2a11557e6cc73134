import { sql } from 'kysely';
import type { RowOf } from '../../contracts/log/journal.js';
import type { Store } from '../schema.js';

/**
 * Returns the ids of the questions and approvals of an intent since an erasure, whose row can come late. A question counts
 * if both of its times say so: an agent of the OpenIntent API sets the first by its own clock. Quarantined rows must not
 * be erased yet.
 *
 * @param at - the instant of the erasure (ISO-8601)
 */
export async function askedSince(
  db: Store,
  intentId: string,
  at: string,
): Promise<ReadonlySet<string>> {
  const refused = await askedAsideSince(db, intentId, at);
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where intent_id = ${intentId} and suspended_at >= ${at}::timestamptz
      and (settled_at is null or settled_at > ${at}::timestamptz)
    union all
    select id from unnest(${refused}::text[]) as refused (id)
    where not exists (
      select from suspensions
      where suspensions.id = refused.id and settled_at <= ${at}::timestamptz
    )
    union all
    select id from approvals where intent_id = ${intentId} and created_at >= ${at}::timestamptz`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns those whose first row the store refused, by the first of their times. An invalid time may be the reason. */
async function askedAsideSince(
  db: Store,
  intentId: string,
  at: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('journal_quarantine')
    .select('content')
    .where('intent_id', '=', intentId)
    .where('kind', 'in', ['suspension_opened', 'approval'])
    .where('content', '<>', '')
    .execute();
  return rows
    .map(({ content }) => beginningOf(JSON.parse(content) as AskedRow))
    .filter(({ since }) => Date.parse(since) >= Date.parse(at))
    .map(({ id }) => id);
}

type AskedRow = RowOf<'suspension_opened' | 'approval'>;

function beginningOf(row: AskedRow): { readonly id: string; readonly since: string } {
  return row.kind === 'approval'
    ? { id: row.approval.approval_id, since: row.approval.created_at }
    : { id: row.record.id, since: row.record.suspended_at };
}
