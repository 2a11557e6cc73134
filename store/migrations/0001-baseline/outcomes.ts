import { sql } from 'kysely';

/**
 * The outcome of a question or an approval is final: a row with another one is refused with SQLSTATE 23O01, whatever its
 * revision. A Temporal that was put back some seconds sends such rows: it has forgotten the answer, and runs into the fallback.
 * The insert is judged too, because an upsert does nothing with a row that is older than the stored one. A response that an
 * erasure took, here or before the row was sent, is not compared. By their name the triggers run after the one that erases, and
 * before the one that takes a number.
 */
export const finalOutcomes = sql`
  create function holdpoint_refuse_outcome(thing text, id text) returns void language plpgsql as $$
  begin
    raise exception '% % has another outcome', thing, id using errcode = '23O01';
  end $$;

  create function holdpoint_outcome(record jsonb) returns jsonb
  language sql immutable parallel safe as $$
    select jsonb_build_array(
      record -> 'resolution', record -> 'settled_by', record -> 'responded_by')
  $$;

  create function holdpoint_keep_answer() returns trigger language plpgsql as $$
  declare stored jsonb;
  begin
    if tg_op = 'UPDATE' then
      stored := old.record;
    else
      select record into stored from suspensions
      where id = new.id and space = new.space and state = 'settled';
      if stored is null then return new; end if;
    end if;
    if holdpoint_outcome(new.record) is distinct from holdpoint_outcome(stored)
      or (new.record ? 'response' and stored ? 'response'
        and new.record -> 'response' <> stored -> 'response')
    then
      perform holdpoint_refuse_outcome('question', new.id);
    end if;
    return new;
  end $$;

  create trigger keep_answer_at_insert before insert on suspensions
    for each row when (new.state = 'settled') execute function holdpoint_keep_answer();
  create trigger keep_answer_at_update before update on suspensions
    for each row when (old.state = 'settled') execute function holdpoint_keep_answer();

  create function holdpoint_keep_decision() returns trigger language plpgsql as $$
  declare stored text;
  begin
    if tg_op = 'UPDATE' then
      stored := old.status;
    else
      select status into stored from approvals
      where id = new.id and space = new.space and status <> 'pending';
    end if;
    -- What was approved may still fail, and the two rows may come in either order.
    if stored <> new.status and not array[stored, new.status] <@ '{approved,failed}' then
      perform holdpoint_refuse_outcome('approval', new.id);
    end if;
    return new;
  end $$;

  create trigger keep_decision_at_insert before insert on approvals
    for each row when (new.status <> 'pending') execute function holdpoint_keep_decision();
  create trigger keep_decision_at_update before update on approvals
    for each row when (old.status <> 'pending') execute function holdpoint_keep_decision();
`;
