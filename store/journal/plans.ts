import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { toJsonText } from '../text-codec.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

/** Writes each task's current row, unless a later one is stored. */
export async function upsertTasks(db: Store, rows: readonly RowOf<'task'>[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(rows, ({ task }) => task.id, isAtLeast);
  await db
    .insertInto('tasks')
    .values(
      latest.map(({ task, revision }) => ({
        id: task.id,
        intent_id: task.intent_id,
        plan_id: task.plan_id,
        status: task.status,
        revision,
        created_at: task.created_at,
        record: toJsonText(task),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          revision: eb.ref('excluded.revision'),
          record: eb.ref('excluded.record'),
        }))
        .where(sql<boolean>`excluded.revision >= tasks.revision`),
    )
    .execute();
}

/** Writes each plan's current row, unless a later one is stored. */
export async function upsertPlans(db: Store, rows: readonly RowOf<'plan'>[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(rows, ({ plan }) => plan.id, isAtLeast);
  await db
    .insertInto('plans')
    .values(
      latest.map(({ plan, revision }) => ({
        id: plan.id,
        intent_id: plan.intent_id,
        state: plan.state,
        revision,
        created_at: plan.created_at,
        record: toJsonText(plan),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          state: eb.ref('excluded.state'),
          revision: eb.ref('excluded.revision'),
          record: eb.ref('excluded.record'),
        }))
        .where(sql<boolean>`excluded.revision >= plans.revision`),
    )
    .execute();
}

function isAtLeast(row: { revision: number }, earlier: { revision: number }): boolean {
  return row.revision >= earlier.revision;
}
