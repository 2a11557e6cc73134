import { sql } from 'kysely';

/**
 * The position of the latest change of every question in the feed (docs/adr/0066), the kind of change, and the count of what
 * waits for the question. A trigger sets them, so that no writer can forget them; like every writer of the feed it takes the
 * lock before the number. Pauses have no position. The rows that fill a question come in any order, and none counts before the
 * opening. A write of only `blocks` comes from `recountBlocks`. A delegation to a person also gives a claim, so fewer
 * delegates without a new claim mean that a delegation was taken back. By its name the trigger runs after the one that erases.
 */
export const questionChanges = sql`
  create function holdpoint_place_question() returns trigger language plpgsql as $$
  begin
    if new.asked_by is null or new.pause_reason is not null then return new; end if;
    if tg_op = 'UPDATE' and old.asked_by is not null then
      if (new.state, new.attempt, new.next_attempt_at, new.max_attempts, new.votes,
          new.eligibility, new.record, new.claim, new.delegates, new.delegate_groups,
          new.comment_count)
        is not distinct from
        (old.state, old.attempt, old.next_attempt_at, old.max_attempts, old.votes,
          old.eligibility, old.record, old.claim, old.delegates, old.delegate_groups,
          old.comment_count)
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
          when (new.delegates, new.delegate_groups)
            is distinct from (old.delegates, old.delegate_groups) then
            case
              when new.claim is not null and new.claim is distinct from old.claim then 'delegated'
              when coalesce(new.delegates, '[]') <@ coalesce(old.delegates, '[]')
                and coalesce(new.delegate_groups, '{}') <@ coalesce(old.delegate_groups, '{}')
                then 'taken_back'
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
  end $$;

  create trigger place before insert or update on suspensions
    for each row execute function holdpoint_place_question();
`;
