import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Signed checkpoints, and how each log ended in them. A leaf is a row only where it differs from the one before: the
 * leaves of a checkpoint are the newest of each log up to its number. Kind and id are compared byte by byte, which is
 * the order of the tree.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('checkpoints')
    .addColumn('number', 'integer', (col) => col.primaryKey())
    .addColumn('signed_at', 'timestamptz', (col) => col.notNull())
    .addColumn('tree_size', 'integer', (col) => col.notNull())
    .addColumn('root_hash', 'text', (col) => col.notNull())
    .addColumn('previous_hash', 'text')
    .addColumn('public_key', 'text', (col) => col.notNull())
    .addColumn('signature', 'text', (col) => col.notNull())
    .addColumn('filed_at', 'timestamptz')
    .addColumn('posted_at', 'timestamptz')
    .execute();
  await sql`
    create table checkpoint_leaves (
      kind text collate "C" not null,
      id text collate "C" not null,
      checkpoint integer not null,
      sequence integer not null,
      head_hash text not null,
      removed text,
      primary key (kind, id, checkpoint)
    )`.execute(db);
  await sql`create index checkpoint_leaves_of on checkpoint_leaves (checkpoint)`.execute(db);
}
