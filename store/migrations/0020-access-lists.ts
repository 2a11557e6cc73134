import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Who owns an intent, and who may read it: for lists and streams of agents. Generated from its record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table intents
      add column owner text generated always as (record ->> 'owner') stored,
      add column access jsonb generated always as (record -> 'access') stored`.execute(db);
  await sql`
    alter table intents
      drop column summary_bytes,
      drop column summary`.execute(db);
  const summary = sql`record - '{state,constraints,governance_policy,access}'::text[]`;
  await sql`
    alter table intents
      add column summary jsonb not null generated always as (${summary}) stored,
      add column summary_bytes integer not null
        generated always as (octet_length((${summary})::text)) stored`.execute(db);
}
