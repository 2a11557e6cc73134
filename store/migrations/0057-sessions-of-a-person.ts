import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the sessions of one person, and among them those that were used longest ago, which end when one too many begins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sessions_by_principal on sessions (space, principal, seen_at)`.execute(db);
}
