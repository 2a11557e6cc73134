import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Store } from '../schema.js';

/** Whether retention has removed something: one read by primary key. */
export async function isRemoved(db: Store, kind: WorkflowType, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('retention_tombstones')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Which of these logs retention has removed, by their ids. An id is that of an intent or of a portfolio. */
export async function removedLogs(db: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('retention_tombstones')
    .select('id')
    .where('kind', 'in', ['intent', 'portfolio'])
    .where('id', 'in', [...ids])
    .where('removed_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
