import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The runs of agents: how the log of each ends, so that entries are missed that somebody takes away at its end, and what
 * retention has removed of it. The next entry follows the last one, whether that is still there or not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('space', 'text', (col) => col.notNull().defaultTo('default'))
    .addColumn('run_id', 'text', (col) => col.notNull())
    .addColumn('last_sequence', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('head_hash', 'text')
    .addColumn('removed_through', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('removed_hash', 'text')
    .addColumn('last_at', 'timestamptz', (col) => col.notNull())
    .addColumn('kept', 'boolean', (col) => col.notNull().defaultTo(true))
    .addPrimaryKeyConstraint('runs_pkey', ['space', 'run_id'])
    .execute();
  await sql`
    insert into runs (space, run_id, last_sequence, head_hash, last_at)
    select distinct on (space, run_id) space, run_id, sequence, event_hash, created_at
    from run_events order by space, run_id, sequence desc`.execute(db);
  await sql`
    insert into runs (space, run_id, last_at)
    select space, run_id, max(saved_at) from snapshots group by space, run_id
    on conflict (space, run_id)
      do update set last_at = greatest(runs.last_at, excluded.last_at)`.execute(db);
  await sql`create index runs_idle on runs (last_at) where kept`.execute(db);
}
