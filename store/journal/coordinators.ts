import type { Store } from '../schema.js';
import { toJsonText } from '../text-codec.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

/** Writes each coordinator's current row, unless a later one is stored. */
export async function upsertCoordinators(
  db: Store,
  rows: readonly RowOf<'coordinator'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(
    rows,
    ({ coordinator }) => coordinator.id,
    (row, earlier) => row.coordinator.version > earlier.coordinator.version,
  );
  await db
    .insertInto('coordinators')
    .values(
      latest.map(({ coordinator }) => ({
        id: coordinator.id,
        version: coordinator.version,
        intent_id: coordinator.intent_id,
        portfolio_id: coordinator.portfolio_id,
        granted_at: coordinator.granted_at,
        record: toJsonText(coordinator),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          version: eb.ref('excluded.version'),
          record: eb.ref('excluded.record'),
        }))
        .whereRef('coordinators.version', '<', 'excluded.version'),
    )
    .execute();
}
