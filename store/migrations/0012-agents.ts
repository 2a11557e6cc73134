import type { Kysely } from 'kysely';

/** The agents that registered; `record` is as the API gives it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('agent_id', 'text', (col) => col.primaryKey())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
}
