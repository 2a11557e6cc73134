import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The leases of coordinators; `record` is as of the last change of status, not of the last heartbeat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('coordinators')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('version', 'integer', (col) => col.notNull())
    .addColumn('intent_id', 'text')
    .addColumn('portfolio_id', 'text')
    .addColumn('granted_at', 'timestamptz', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index coordinators_by_intent on coordinators (intent_id, granted_at, id)`.execute(
    db,
  );
}
