import { sql } from 'kysely';
import type { SuspensionErasure } from '../../contracts/log/erasure.js';
import { toText } from '../column-values.js';
import type { Store } from '../schema.js';

/** The time of an erasure (ISO-8601), and the principal that ordered it. */
export type ErasureMark = Pick<SuspensionErasure, 'erased_at' | 'erased_by'>;

/** The kinds that are erased by their id alone. The log of an intent is erased up to an event. */
type Marked = 'suspension' | 'approval';

/** Returns the mark of an erasure, or undefined. */
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
