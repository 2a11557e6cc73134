import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Tasks and plans as their workflows hand them over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('revision', 'integer', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index tasks_by_intent on tasks (intent_id, created_at, id)`.execute(db);
  await db.schema
    .createTable('plans')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('revision', 'integer', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index plans_by_intent on plans (intent_id, created_at, id)`.execute(db);
}
