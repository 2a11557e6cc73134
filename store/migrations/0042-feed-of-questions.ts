import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The place of the latest change of every question in the one order of all events (docs/adr/0066), and what it changed. A
 * trigger gives both, so that nothing that writes a question can forget them: it takes the lock of the feed before the
 * number, as `enterFeed` does. A question that nobody has touched since has no place, and neither has a pause. The rows that
 * fill a question come in any order, and none of them counts before the opening.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table suspensions add column feed_position bigint, add column change text`.execute(
    db,
  );
  await sql`
    create function holdpoint_place_question() returns trigger language plpgsql as $$
    begin
      if new.asked_by is null or new.pause_reason is not null then return new; end if;
      if tg_op = 'UPDATE' and old.asked_by is not null then
        if (new.state, new.attempt, new.next_attempt_at, new.max_attempts, new.votes,
            new.eligibility, new.record)
          is not distinct from
          (old.state, old.attempt, old.next_attempt_at, old.max_attempts, old.votes,
            old.eligibility, old.record)
        then return new; end if;
        new.change := case
          when new.record ? 'erased_at' and not old.record ? 'erased_at' then 'erased'
          when new.state <> old.state then 'settled'
          when new.record is distinct from old.record then 'amended'
          when new.votes is distinct from old.votes then 'voted'
          when new.eligibility is distinct from old.eligibility then 'eligibility_changed'
          when new.attempt <> old.attempt then 'attempt'
          else 'other'
        end;
      else
        new.change := case new.state when 'pending' then 'opened' else 'settled' end;
      end if;
      perform pg_advisory_xact_lock_shared(1212370020, 1);
      new.feed_position := nextval('feed_positions');
      return new;
    end $$`.execute(db);
  // Its name comes after that of the trigger that erases, so it sees what is left.
  await sql`
    create trigger place before insert or update on suspensions
      for each row execute function holdpoint_place_question()`.execute(db);
  await sql`create index suspensions_by_feed_position on suspensions (feed_position)`.execute(db);
  // What one space does must not make the streams of another slow.
  await sql`
    create index suspensions_by_change on suspensions (space, feed_position)`.execute(db);
}
