import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the messages of one question: a reminder goes under the first, and all of them are told how it ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index deliveries_of_question on deliveries (space, split_part(delivery_id, ':', 1))`.execute(
    db,
  );
}
