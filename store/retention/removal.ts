import { sql } from 'kysely';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Store } from '../schema.js';
import { ROWS, repeat } from './marks.js';
import { FURTHER_ROWS, REMOVABLES } from './removable.js';
import type { Removable } from './removable.js';

/** Each thing takes two rows at first: its own, and its tombstone. */
const THINGS = ROWS / 2;
/** The most things that are swept at once; each takes one more row, its tombstone, when it is done. */
const SWEPT = 50;

interface RemovalOptions {
  readonly at: Date;
  /** Whether checkpoints are signed here. Then nothing is removed before a checkpoint has recorded it. */
  readonly signs: boolean;
}

/**
 * Removes what is marked and free, at most 200 rows a transaction. The tombstone comes first: from then on the thing
 * counts as removed, and late rows of it are not written. An interrupted removal continues where it was.
 *
 * @param goOn - called between two transactions; throws to stop the work
 * @returns the number of removed things
 */
export async function removeMarked(
  db: Store,
  options: RemovalOptions,
  goOn: () => void = () => undefined,
): Promise<number> {
  let removed = 0;
  for (const removable of REMOVABLES) {
    await repeat(async () => {
      const count = await removeThings(db, removable, options);
      removed += count;
      return count;
    }, goOn);
  }
  for (const { kind } of REMOVABLES) await repeat(() => sweep(db, kind), goOn);
  return removed;
}

/**
 * Whether the newest signed leaf of a log records its removal. Without a leaf its absence contradicts nothing, unless one
 * is going to be signed.
 */
const mayGo = (signs: boolean) => sql<boolean>`coalesce(
  (
    select coalesce(leaf.removed = 'retention', false) from checkpoint_leaves leaf
    where leaf.kind = mark.kind and leaf.id = mark.id
      and leaf.checkpoint <= (select coalesce(max(number), 0) from checkpoints)
    order by leaf.checkpoint desc limit 1
  ),
  mark.head_hash is null or ${sql.lit(!signs)}
)`;

async function removeThings(
  db: Store,
  { kind, free }: Removable,
  { at, signs }: RemovalOptions,
): Promise<number> {
  const table = sql.table(`${kind}s`);
  const hasMore = sql.lit(FURTHER_ROWS[kind] !== undefined);
  return db.transaction().execute(async (transaction) => {
    // An erasure locks this table first, and later reads tombstones: it ends before, or begins after.
    await sql`lock table intents in row exclusive mode`.execute(transaction);
    // Every writer of such a row reads this table: the writers that did not see the tombstone have ended.
    await sql`lock table retention_tombstones in access exclusive mode`.execute(transaction);
    const { rows } = await sql<{ count: number }>`
      with gone as (
        select thing.id from retention_tombstones mark join ${table} thing on thing.id = mark.id
        where mark.kind = ${kind} and mark.removed_at is null and not mark.swept
          and ${mayGo(signs)} and ${free}
        limit ${THINGS}
      ), noted as (
        update retention_tombstones mark
        set removed_at = ${at.toISOString()}::timestamptz, swept = not ${hasMore}
        from gone where mark.kind = ${kind} and mark.id = gone.id
      ), removed as (
        delete from ${table} thing using gone where thing.id = gone.id returning thing.id
      )
      select count(*)::integer as count from removed`.execute(transaction);
    return rows[0]?.count ?? 0;
  });
}

/** Deletes further rows of removed things. Returns the number of changed rows. */
async function sweep(db: Store, kind: WorkflowType): Promise<number> {
  const tables = FURTHER_ROWS[kind];
  if (tables === undefined) return 0;
  return db.transaction().execute(async (transaction) => {
    const things = await transaction
      .selectFrom('retention_tombstones')
      .select('id')
      .where('kind', '=', kind)
      .where('removed_at', 'is not', null)
      .where('swept', '=', false)
      .orderBy('id')
      .limit(SWEPT)
      .execute();
    if (things.length === 0) return 0;
    const ids = sql`array[${sql.join(things.map(({ id }) => id))}]::text[]`;
    let left = ROWS - things.length;
    for (const [name, owner] of tables) {
      const table = sql.table(name);
      const { numAffectedRows = 0n } = await sql`
        delete from ${table} where ctid in (
          select ctid from ${table} where ${owner} = any (${ids}) limit ${left}
        )`.execute(transaction);
      left -= Number(numAffectedRows);
      if (left === 0) return ROWS;
    }
    await sql`
      update retention_tombstones set swept = true
      where kind = ${kind} and id = any (${ids})`.execute(transaction);
    return ROWS - left;
  });
}
