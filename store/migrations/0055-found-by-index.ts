import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Finds the questions that were passed on to somebody. Without it what waits for a person is looked for among all open
 * questions, however few the rules leave to that person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index suspensions_by_delegate on suspensions using gin (delegates)
      where delegates is not null`.execute(db);
}
