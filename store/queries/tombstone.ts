import { sql } from 'kysely';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Store } from '../schema.js';
import { isAny } from './bounded.js';

/** Whether retention has removed something: one read by primary key. */
export function isRemoved(db: Store, kind: WorkflowType, id: string): Promise<boolean> {
  const removed = sql`
    select from retention_tombstones
    where kind = ${kind} and id = ${id} and removed_at is not null`;
  return isAny(db, removed);
}

/** Returns the ids of those logs, of intents or portfolios, that retention has removed. */
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
