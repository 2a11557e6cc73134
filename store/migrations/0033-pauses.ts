import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Why a suspension waits that is no question to people; null for questions, which the inbox lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('suspensions').addColumn('pause_reason', 'text').execute();
  // What the inbox counts is read from an index alone.
  await sql`drop index suspensions_by_resolution`.execute(db);
  await sql`
    create index suspensions_by_resolution on suspensions (resolution, suspended_at, id)
      where asked_by is not null and pause_reason is null`.execute(db);
}
