import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The webhook subscriptions; `record` is as the API gives it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('intent_id', 'text')
    .addColumn('portfolio_id', 'text')
    .addColumn('created_by', 'text', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('active', 'boolean', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index subscriptions_newest on subscriptions (created_at desc, id)`.execute(db);
  await sql`create index subscriptions_by_intent on subscriptions (intent_id)`.execute(db);
}
