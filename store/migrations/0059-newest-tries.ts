import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the newest delivery over a channel, and the newest try that failed by it, however many there are of the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index delivery_tries_delivered on delivery_tries (space, channel, at)
    where outcome = 'delivered'`.execute(db);
  await sql`
    create index delivery_tries_failed on delivery_tries (space, channel, at)
    where outcome not in ('delivered', 'called_off', 'channel_not_configured',
      'recipient_not_allowed', 'recipient_unknown')`.execute(db);
}
