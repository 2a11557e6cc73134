import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What people do to a question without answering it, so that lists need no workflow: who has claimed it, how many comments
 * it has, and to whom it was delegated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suspensions
      add column claim jsonb,
      add column comment_count integer not null default 0,
      add column delegates jsonb`.execute(db);
  await sql`
    create index suspensions_by_claim on suspensions ((claim ->> 'holder'))
      where state = 'pending' and claim is not null`.execute(db);
  await sql`
    create or replace function holdpoint_forget_suspension() returns trigger
    language plpgsql as $$
    declare at timestamptz;
    begin
      select erased_at into at from erasures where kind = 'suspension' and id = new.id;
      if at is null then return new; end if;
      if new.question is not null then new.question := '[erased]'; end if;
      if new.schedule is not null then new.schedule := holdpoint_erased_schedule(new.schedule); end if;
      new.record := holdpoint_erased_record(new.record, at);
      new.channel_hint := null;
      new.votes := null;
      new.answer_keys := null;
      new.answer_body_hash := null;
      new.request_hash := null;
      new.claim := null;
      new.delegates := null;
      return new;
    end $$`.execute(db);
}
