import type { Coordinator } from '../../contracts/coordinator.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { oneById } from './upsert.js';
import type { RowOf } from './upsert.js';

/** The coordinator as of its last change of status; undefined without one. */
export async function findCoordinator(db: Store, id: string): Promise<Coordinator | undefined> {
  const row = await db
    .selectFrom('coordinators')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.record;
}

/** A page of the coordinators of an intent, oldest first. */
export async function coordinatorsOf(
  db: Store,
  intentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Coordinator[]> {
  const rows = await db
    .selectFrom('coordinators')
    .select('record')
    .where('intent_id', '=', intentId)
    .orderBy('granted_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

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
