import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What the inbox filters and sorts by. Channels and recipients are those of the attempts that were due;
 * an empty text stands for the default channel, or for nobody in particular. They are generated, for the
 * rows that fill a suspension arrive in any order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_asked(schedule jsonb, attempt integer, field text) returns text[]
    language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct coalesce(entry ->> field, '')), '{}')
      from (
        select due from jsonb_array_elements(schedule -> 'attempts') due
        where (due ->> 'attempt')::integer <= attempt
      ) attempts
      cross join lateral (
        select due as entry
        union all
        select jsonb_array_elements(due -> 'ladder')
      ) entries
    $$`.execute(db);
  await sql`
    alter table suspensions
      add column asked_channels text[] not null
        generated always as (holdpoint_asked(schedule, attempt, 'channel_hint')) stored,
      add column asked_recipients text[] not null
        generated always as (holdpoint_asked(schedule, attempt, 'notify_to')) stored,
      add column words tsvector not null
        generated always as (
          to_tsvector('simple', coalesce(question, '')) ||
          jsonb_to_tsvector(
            'simple', coalesce(record -> 'context', '{}'), '["string", "numeric"]'
          )
        ) stored`.execute(db);
  await indexes(db);
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  await sql`drop index suspensions_by_expiry`.execute(db);
  await sql`
    create index suspensions_by_urgency on suspensions
      (state, coalesce(expires_at, 'infinity'::timestamptz), (-attempt), suspended_at, id)
    `.execute(db);
  await sql`create index suspensions_by_age on suspensions (state, suspended_at, id)`.execute(db);
  await sql`
    create index suspensions_by_asker on suspensions (asked_by, state, suspended_at, id)
    `.execute(db);
  await sql`
    create index suspensions_by_resolution on suspensions (resolution, suspended_at, id)
      where asked_by is not null`.execute(db);
  for (const column of ['asked_channels', 'asked_recipients', 'words']) {
    await sql`
      create index ${sql.ref(`suspensions_by_${column}`)} on suspensions
        using gin (${sql.ref(column)})`.execute(db);
  }
  await sql`
    create index events_by_type on events (intent_id, event_type, sequence)`.execute(db);
}
