import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What was erased, and triggers that keep it erased: whatever writes a row about it later, or writes it again, writes
 * the erased form (docs/adr/0039). For an intent, `through_sequence` is the last event that is meant.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('erasures')
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('id', 'text', (col) => col.notNull())
    .addColumn('erased_at', 'timestamptz', (col) => col.notNull())
    .addColumn('erased_by', 'text', (col) => col.notNull())
    .addColumn('through_sequence', 'integer')
    .addColumn('event_sequence', 'integer')
    .addPrimaryKeyConstraint('erasures_pkey', ['kind', 'id'])
    .execute();
  await sql`
    create index deliveries_by_suspension on deliveries (split_part(delivery_id, ':', 1))`.execute(
    db,
  );
  await erasedForms(db);
  await suspensions(db);
  await events(db);
  await refusedRows(db);
}

/** What is left of a record and of a schedule. The same as `domain/suspension/erasure.ts`, and a test holds them together. */
async function erasedForms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_erased_record(record jsonb, erased_at timestamptz) returns jsonb
    language sql stable as $$
      select jsonb_build_object(
          'question', '[erased]',
          'erased_at', coalesce(
            record ->> 'erased_at',
            to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
        ) || coalesce(jsonb_object_agg(key, value) filter (where key in (
          'id', 'response_type', 'suspended_at', 'timeout_seconds', 'expires_at', 'fallback_policy',
          'responded_at', 'resolution', 'responded_by', 'submitted_by', 'settled_by', 'settled_at'
        )), '{}')
      from jsonb_each(record)
    $$`.execute(db);
  await sql`
    create function holdpoint_erased_schedule(schedule jsonb) returns jsonb
    language sql immutable as $$
      select schedule || jsonb_build_object('attempts', coalesce(jsonb_agg(
        jsonb_build_object(
          'attempt', due -> 'attempt', 'at', due -> 'at', 'next_attempt_at', due -> 'next_attempt_at',
          'channel_hint', null, 'notify_to', null, 'ladder', '[]'::jsonb
        ) order by place), '[]'))
      from jsonb_array_elements(schedule -> 'attempts') with ordinality attempts (due, place)
    $$`.execute(db);
}

/** A question, its timeline, and what its channels said of the messages. */
async function suspensions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_forget_suspension() returns trigger language plpgsql as $$
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
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on suspensions
      for each row execute function holdpoint_forget_suspension()`.execute(db);
  await sql`
    create function holdpoint_forget_entry() returns trigger language plpgsql as $$
    begin
      if exists (select from erasures where kind = 'suspension' and id = new.suspension_id) then
        new.detail := '{}';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on suspension_timeline
      for each row execute function holdpoint_forget_entry()`.execute(db);
  await sql`
    create function holdpoint_forget_delivery() returns trigger language plpgsql as $$
    begin
      if exists (
        select from erasures
        where kind = 'suspension' and id = split_part(new.delivery_id, ':', 1)
      ) then
        new.reference := null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on deliveries
      for each row execute function holdpoint_forget_delivery()`.execute(db);
}

/** The record of an erasure is the only payload that stays. */
async function events(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_forget_event() returns trigger language plpgsql as $$
    begin
      if new.event_type <> 'personal_data_erased' and exists (
        select from erasures
        where kind = 'intent' and id = new.intent_id and through_sequence >= new.sequence
      ) then
        new.payload := '{}';
        new.payload_salt := null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on events
      for each row execute function holdpoint_forget_event()`.execute(db);
}

/** Of a row that was set aside, the id is a hash of its content, so it goes as well. */
async function refusedRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_forget_refused_row() returns trigger language plpgsql as $$
    begin
      if new.content <> '' and exists (
        select from erasures
        where (kind = 'suspension' and id = new.suspension_id)
          or (kind = 'intent' and id = new.intent_id
            and (new.kind <> 'event' or new.sequence is null or through_sequence >= new.sequence))
      ) then
        new.content := '';
        new.id := 'erased:' || gen_random_uuid();
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on journal_quarantine
      for each row execute function holdpoint_forget_refused_row()`.execute(db);
}
