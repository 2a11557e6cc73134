import { sql } from 'kysely';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Store } from '../schema.js';
import { ROWS, repeat } from './marks.js';
import { FURTHER_ROWS, REMOVABLES, type Removable } from './removable.js';

/** How many things one transaction processes: each takes two rows at first, its own and its tombstone. */
const THINGS = ROWS / 2;
/** The most things that are swept at once; each takes one more row, its tombstone, when it is done. */
const SWEPT = 50;

interface RemovalOptions {
  readonly at: Date;
  /** Whether checkpoints are signed here. Then nothing is removed before a checkpoint has recorded it. */
  readonly signs: boolean;
}

/**
 * Removes what is marked and free, at most 200 rows a transaction. From its tombstone on a thing counts as removed,
 * and late rows of it are not written. An interrupted removal continues where it was.
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
 * Whether the newest signed leaf of a log records its removal. A log without a leaf may go, unless one is going to be
 * signed.
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

/** The runs that one transaction processes. */
const RUNS = 20;

/**
 * Removes the logs and snapshots of runs that have been idle since an instant and have no kept approval, at most 200
 * rows a transaction. From the first one on the whole log counts as removed. The row of the run keeps the end of its
 * log, for events that may follow.
 *
 * @param goOn - called between two transactions; throws to stop the work
 */
export async function removeRuns(
  db: Store,
  before: Date,
  goOn: () => void = () => undefined,
): Promise<void> {
  await repeat(() => removeSome(db, before), goOn);
}

/** Returns the number of changed rows. */
async function removeSome(db: Store, before: Date): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows: runs } = await sql<{ readonly space: string; readonly run_id: string }>`
      update runs set removed_through = last_sequence, removed_hash = head_hash
      where (space, run_id) in (
        select run.space, run.run_id from runs run
        where run.kept and run.last_at < ${before.toISOString()}::timestamptz
          and not exists (
            select from approvals approval
            where approval.run_id = run.run_id and approval.space = run.space
          )
        order by run.last_at limit ${RUNS} for update
      )
      returning space, run_id`.execute(transaction);
    if (runs.length === 0) return 0;
    const places = sql.join(runs.map(({ space, run_id }) => sql`(${space}, ${run_id})`));
    // Each run takes a row now, and one more when it is empty.
    let left = ROWS - 2 * runs.length;
    for (const table of ['run_events', 'snapshots'] as const) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where (space, run_id) in (${places}) limit ${left}
        )`.execute(transaction);
      left -= Number(numAffectedRows);
      if (left === 0) return ROWS;
    }
    await sql`
      update runs set kept = false where (space, run_id) in (${places})`.execute(transaction);
    return ROWS - left;
  });
}
