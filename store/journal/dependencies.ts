import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

type DependencyRow = RowOf<'dependency'>;

/** Writes what has become of each edge, unless a later revision is stored; of one revision, that it is gone. */
export async function writeDependencies(db: Store, rows: readonly DependencyRow[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(
    rows,
    ({ intent_id, dependency_id }) => intent_id + dependency_id,
    isLater,
  );
  await db
    .insertInto('dependencies')
    .values(
      latest.map(({ intent_id, dependency_id, revision, present }) => ({
        intent_id,
        dependency_id,
        revision,
        present,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['intent_id', 'dependency_id'])
        .doUpdateSet((eb) => ({
          revision: eb.ref('excluded.revision'),
          present: eb.ref('excluded.present'),
        }))
        .where(
          sql<boolean>`(excluded.revision, not excluded.present) > (dependencies.revision, not dependencies.present)`,
        ),
    )
    .execute();
}

function isLater(row: DependencyRow, earlier: DependencyRow): boolean {
  return row.revision > earlier.revision || (row.revision === earlier.revision && !row.present);
}
