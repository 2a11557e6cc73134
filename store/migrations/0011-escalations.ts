import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Escalations are looked for over all intents; every other event within its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index events_of_escalations on events (created_at desc, id)
      where event_type in ('escalation_requested', 'escalation_resolved')`.execute(db);
}
