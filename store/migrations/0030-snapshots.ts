import type { Kysely } from 'kysely';

/** What agents were while they waited for an approval, each under the hash of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('space', 'text', (col) => col.notNull())
    .addColumn('hash', 'text', (col) => col.notNull())
    .addColumn('run_id', 'text', (col) => col.notNull())
    .addColumn('turn_index', 'integer', (col) => col.notNull())
    .addColumn('saved_at', 'timestamptz', (col) => col.notNull())
    .addColumn('snapshot', 'jsonb', (col) => col.notNull())
    .addPrimaryKeyConstraint('snapshots_pkey', ['space', 'hash'])
    .execute();
  await db.schema
    .createIndex('snapshots_of_run')
    .on('snapshots')
    .columns(['space', 'run_id', 'turn_index'])
    .execute();
}
