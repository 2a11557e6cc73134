import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const RECORDS = [
  'coordinators',
  'events',
  'intents',
  'plans',
  'portfolios',
  'subscriptions',
  'suspensions',
  'tasks',
] as const;

/**
 * The space of everything; all that was there before is in the default one. Names that callers choose are unique in
 * their space. All other ids are made by the server, and are unique everywhere.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of [...RECORDS, 'agents', 'key_principals']) {
    await sql`
      alter table ${sql.table(table)} add column space text not null default 'default'`.execute(db);
  }
  await sql`
    alter table agents drop constraint agents_pkey, add primary key (space, agent_id)`.execute(db);
  await sql`
    alter table key_principals
      drop constraint key_principals_pkey, add primary key (space, principal)`.execute(db);
  // What one space does must not make the lists and streams of another slow.
  await sql`create index events_by_space on events (space, feed_position)`.execute(db);
  await sql`create index intents_by_space on intents (space, created_at desc, id)`.execute(db);
  await sql`create index portfolios_by_space on portfolios (space, created_at desc, id)`.execute(
    db,
  );
  await sql`
    create index suspensions_by_space on suspensions (space, state, suspended_at, id)`.execute(db);
}
