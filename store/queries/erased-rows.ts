import { sql } from 'kysely';
import type { SuspensionErasure } from '../../contracts/erasure.js';
import { toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { forgetApprovals, questionsOfApprovals } from './erase-approvals.js';
import type { PlacedApproval } from './erase-approvals.js';

/**
 * Keeps other transactions from writing what is about to be erased, until this one ends: a row that one of them has
 * written already is found, and one that it writes later is erased by a trigger. The order is that of the journal's
 * writers, and of those of runs (`lockRuns`), so that they cannot block each other.
 */
export async function lockRows(transaction: Store): Promise<void> {
  await sql`
    lock table intents, suspensions, approvals, suspension_timeline, events, deliveries,
      journal_quarantine, runs, run_events, snapshots in share row exclusive mode`.execute(
    transaction,
  );
}

/** Erases approvals with the questions that their tiers were asked: each has a copy of the proposal. */
export async function forgetWithQuestions(
  transaction: Store,
  approvals: readonly PlacedApproval[],
  order: Pick<SuspensionErasure, 'erased_at' | 'erased_by'>,
): Promise<void> {
  const ids = approvals.map(({ id }) => id);
  await forgetSuspensions(transaction, await questionsOfApprovals(transaction, ids), order);
  await forgetApprovals(transaction, approvals, order);
}

/** Erases questions that are settled. Each trigger erases what is touched. */
export async function forgetSuspensions(
  transaction: Store,
  ids: readonly string[],
  { erased_at, erased_by }: Pick<SuspensionErasure, 'erased_at' | 'erased_by'>,
): Promise<void> {
  if (ids.length === 0) return;
  const all = sql`array[${sql.join(ids)}]::text[]`;
  await sql`
    insert into erasures (kind, id, erased_at, erased_by)
    select 'suspension', id, ${erased_at}::timestamptz, ${toText(erased_by)}
    from unnest(${all}) as ids (id)
    on conflict (kind, id) do nothing`.execute(transaction);
  await sql`update suspensions set state = state where id = any (${all})`.execute(transaction);
  await sql`
    update suspension_timeline set kind = kind where suspension_id = any (${all})`.execute(
    transaction,
  );
  await sql`
    update deliveries set channel = channel
    where split_part(delivery_id, ':', 1) = any (${all})`.execute(transaction);
  await sql`
    update journal_quarantine set content = content where suspension_id = any (${all})`.execute(
    transaction,
  );
}
