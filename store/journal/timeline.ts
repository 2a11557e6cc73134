import type { Store } from '../schema.js';
import { toJsonText } from '../text-codec.js';
import type { RowOf } from './rows.js';

/** Appends timeline entries; those stored before are left alone. */
export async function insertTimeline(db: Store, rows: readonly RowOf<'timeline'>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('suspension_timeline')
    .values(
      rows.map(({ suspension_id, entry }) => ({
        suspension_id,
        sequence: entry.sequence,
        at: entry.at,
        kind: entry.kind,
        detail: toJsonText(entry.detail),
      })),
    )
    .onConflict((conflict) => conflict.columns(['suspension_id', 'sequence']).doNothing())
    .execute();
}
