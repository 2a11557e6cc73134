import type { Kysely } from 'kysely';

/** Every try of a delivery. Its number starts anew where its workflow continues as new; `at` does not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_tries')
    .addColumn('delivery_id', 'text', (col) => col.notNull())
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .addColumn('try_number', 'integer', (col) => col.notNull())
    .addColumn('channel', 'text', (col) => col.notNull())
    .addColumn('outcome', 'text', (col) => col.notNull())
    .addColumn('status_code', 'integer')
    .addColumn('duration_ms', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('delivery_tries_pkey', ['delivery_id', 'at', 'try_number'])
    .execute();
}
