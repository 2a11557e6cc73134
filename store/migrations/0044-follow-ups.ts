import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What is still to be said of a message (docs/adr/0071). `shows` is the version of the question that a message shows, as
 * long as it can be told of a change or of the end; `due` says that there is something to tell. A trigger sets it in the
 * transaction that writes the change, so that nobody has to look through all messages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deliveries
      add column person text,
      add column shows integer,
      add column due boolean not null default false,
      add column follow_tries integer not null default 0,
      add column follow_at timestamptz`.execute(db);
  await sql`create index deliveries_due on deliveries (follow_at nulls first) where due`.execute(
    db,
  );
  await sql`
    create index deliveries_followed on deliveries (space, delivery_id)
      where shows is not null`.execute(db);
  await sql`
    create function holdpoint_question_version(record jsonb) returns integer
    language sql immutable as $$
      select coalesce(
        (record #>> '{approval,proposal,version}')::integer,
        (record ->> 'question_version')::integer,
        1
      )
    $$`.execute(db);
  await sql`
    create function holdpoint_follow_up() returns trigger language plpgsql as $$
    begin
      update deliveries set due = true
      where split_part(delivery_id, ':', 1) = new.id and space = new.space
        and shows is not null and not due;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger follow_up after update on suspensions for each row
      when (
        (new.state = 'settled' and old.state <> 'settled')
        or holdpoint_question_version(new.record) <> holdpoint_question_version(old.record)
      )
      execute function holdpoint_follow_up()`.execute(db);
}
