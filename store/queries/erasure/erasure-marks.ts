import { sql } from 'kysely';
import type { SuspensionErasure } from '../../../contracts/log/erasure.js';
import { toText } from '../../column-values.js';
import type { Store } from '../../schema.js';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import { isAny } from '../bounded.js';

/** The time of an erasure (ISO-8601), and the principal that ordered it. */
export type ErasureMark = Pick<SuspensionErasure, 'erased_at' | 'erased_by'>;

/** The kinds that are erased by their id alone. The log of an intent is erased up to an event. */
type Marked = 'suspension' | 'approval';

export function markOf(db: Store, kind: Marked, id: string): Promise<ErasureMark | undefined> {
  return db
    .selectFrom('erasures')
    .select(['erased_at', 'erased_by'])
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Marks things as erased, so that triggers erase rows that are touched or come later. An earlier mark stays. */
export async function markErased(
  transaction: Store,
  kind: Marked,
  ids: readonly string[],
  { erased_at, erased_by }: ErasureMark,
): Promise<void> {
  await sql`
    insert into erasures (kind, id, erased_at, erased_by)
    select ${kind}, id, ${erased_at}::timestamptz, ${toText(erased_by)}
    from unnest(array[${sql.join(ids)}]::text[]) as ids (id)
    on conflict (kind, id) do nothing`.execute(transaction);
}

/** Whether retention has removed something: one read by primary key. */
export function isRemoved(db: Store, kind: WorkflowType, id: string): Promise<boolean> {
  const removed = sql`
    select from retention_tombstones
    where kind = ${kind} and id = ${id} and removed_at is not null`;
  return isAny(db, removed);
}

/** Whether a question is stored, or retention has removed it; undefined if neither. Two reads by primary key, at once. */
export async function fateOfQuestion(
  db: Store,
  id: string,
): Promise<'stored' | 'removed' | undefined> {
  const { rows } = await sql<{ fate: 'stored' | 'removed' | null }>`
    select case
      when exists (select from suspensions where id = ${id}) then 'stored'
      when exists (select from retention_tombstones
        where kind = 'suspension' and id = ${id} and removed_at is not null) then 'removed'
    end as fate`.execute(db);
  return rows[0]?.fate ?? undefined;
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
