import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the newest delivery over a channel, and the newest try that failed, however many there are of the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index delivery_tries_by_channel
      on delivery_tries (space, channel, (outcome = 'delivered'), at)`.execute(db);
}
