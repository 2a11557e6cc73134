import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Several people can decide a question: their votes while it is open, the keys of their answers once it is settled,
 * and who is eligible since somebody changed it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suspensions
      add column votes jsonb,
      add column eligibility jsonb,
      add column answer_keys jsonb`.execute(db);
}
