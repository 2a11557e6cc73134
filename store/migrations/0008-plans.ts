import { sql } from 'kysely';
import type { CreateTableBuilder, Kysely } from 'kysely';

/** Tasks and plans as their workflows hand them over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, state] of [
    ['tasks', 'status'],
    ['plans', 'state'],
  ] as const) {
    const begun: CreateTableBuilder<string, string> = db.schema
      .createTable(table)
      .addColumn('id', 'text', (col) => col.primaryKey())
      .addColumn('intent_id', 'text', (col) => col.notNull());
    await (table === 'tasks' ? begun.addColumn('plan_id', 'text') : begun)
      .addColumn(state, 'text', (col) => col.notNull())
      .addColumn('revision', 'integer', (col) => col.notNull())
      .addColumn('created_at', 'timestamptz', (col) => col.notNull())
      .addColumn('record', 'jsonb', (col) => col.notNull())
      .execute();
    await sql`
      create index ${sql.ref(`${table}_by_intent`)} on ${sql.table(table)}
        (intent_id, created_at, id)`.execute(db);
  }
}
