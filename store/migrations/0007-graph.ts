import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Who is whose parent, and who depends on whom. An edge that was removed stays as a row, for its revision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table intents
      add column parent_id text generated always as (record ->> 'parent_intent_id') stored`.execute(
    db,
  );
  await sql`
    create index intents_by_parent on intents (parent_id, created_at, id)
      where parent_id is not null`.execute(db);
  await db.schema
    .createTable('dependencies')
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addColumn('dependency_id', 'text', (col) => col.notNull())
    .addColumn('revision', 'integer', (col) => col.notNull())
    .addColumn('present', 'boolean', (col) => col.notNull())
    .addPrimaryKeyConstraint('dependencies_pkey', ['intent_id', 'dependency_id'])
    .execute();
  await sql`
    create index dependencies_by_dependency on dependencies (dependency_id, intent_id)
      where present`.execute(db);
}
