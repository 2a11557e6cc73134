import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { ROWS, repeat } from './marks.js';

/** The runs that one transaction takes. */
const RUNS = 20;

/**
 * Removes the logs and snapshots of runs that have been idle since an instant and have no kept approval, at most 200 rows a
 * transaction. From the first transaction on the whole log counts as removed. The row of the run stays with the end of its
 * log: if the run continues, its log follows that.
 *
 * @param goOn - called between two transactions; throws to stop the work
 */
export async function removeRuns(
  db: Store,
  before: Date,
  goOn: () => void = () => undefined,
): Promise<void> {
  await repeat(() => removeSome(db, before), goOn);
}

/** Returns the number of changed rows. */
async function removeSome(db: Store, before: Date): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows: runs } = await sql<{ readonly space: string; readonly run_id: string }>`
      update runs set removed_through = last_sequence, removed_hash = head_hash
      where (space, run_id) in (
        select run.space, run.run_id from runs run
        where run.kept and run.last_at < ${before.toISOString()}::timestamptz
          and not exists (
            select from approvals approval
            where approval.run_id = run.run_id and approval.space = run.space
          )
        order by run.last_at limit ${RUNS} for update
      )
      returning space, run_id`.execute(transaction);
    if (runs.length === 0) return 0;
    const places = sql.join(runs.map(({ space, run_id }) => sql`(${space}, ${run_id})`));
    // Each run takes a row now, and one more when nothing is left of it.
    let left = ROWS - 2 * runs.length;
    for (const table of ['run_events', 'snapshots'] as const) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where (space, run_id) in (${places}) limit ${left}
        )`.execute(transaction);
      left -= Number(numAffectedRows);
      if (left === 0) return ROWS;
    }
    await sql`
      update runs set kept = false where (space, run_id) in (${places})`.execute(transaction);
    return ROWS - left;
  });
}
