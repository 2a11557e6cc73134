import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * As in 0054, but that a delegation which is taken back is told as that, and not as one that was made. Whoever delegates also
 * gives a claim, so fewer delegates without a new claim are less than before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function holdpoint_place_question() returns trigger language plpgsql as $$
    begin
      if new.asked_by is null or new.pause_reason is not null then return new; end if;
      if tg_op = 'UPDATE' and old.asked_by is not null then
        if (new.state, new.attempt, new.next_attempt_at, new.max_attempts, new.votes,
            new.eligibility, new.record, new.claim, new.delegates, new.comment_count)
          is not distinct from
          (old.state, old.attempt, old.next_attempt_at, old.max_attempts, old.votes,
            old.eligibility, old.record, old.claim, old.delegates, old.comment_count)
        then
          if new.blocks = old.blocks then return new; end if;
          new.change := 'blocks';
        else
          new.change := case
            when new.record ? 'erased_at' and not old.record ? 'erased_at' then 'erased'
            when new.state <> old.state then 'settled'
            when new.record is distinct from old.record then 'amended'
            when new.votes is distinct from old.votes then 'voted'
            when new.eligibility is distinct from old.eligibility then 'eligibility_changed'
            when new.attempt <> old.attempt then 'attempt'
            when new.delegates is distinct from old.delegates then
              case
                when new.claim is not null and new.claim is distinct from old.claim then 'delegated'
                when coalesce(new.delegates, '[]') <@ coalesce(old.delegates, '[]') then 'taken_back'
                else 'delegated'
              end
            when new.comment_count <> old.comment_count then 'commented'
            when new.claim is distinct from old.claim then
              case when new.claim is null then 'released' else 'claimed' end
            else 'other'
          end;
        end if;
      else
        new.change := case new.state when 'pending' then 'opened' else 'settled' end;
        perform pg_advisory_xact_lock_shared(1212370020, 2);
        new.blocks := case new.state when 'pending' then holdpoint_blocks(new) else 0 end;
      end if;
      if new.state = 'settled' then new.blocks := 0; end if;
      perform pg_advisory_xact_lock_shared(1212370020, 1);
      new.feed_position := nextval('feed_positions');
      return new;
    end $$`.execute(db);
}
