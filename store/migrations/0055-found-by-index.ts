import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Finds the questions that were passed on to somebody. Without it what waits for a person is looked for among all open
 * questions, however few the rules leave to that person. And what counts again what waits for questions: a session plans it
 * once, by indexes alone, for it looks around few things in tables of any size.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index suspensions_by_delegate on suspensions using gin (delegates)
      where delegates is not null`.execute(db);
  await recount(db);
}

/**
 * One at a time, and none while an opening that has counted is not committed: each sees all that was counted before. What it
 * takes is what it sees, so what others leave meanwhile stays.
 */
async function recount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_recount(most integer)
    returns table (taken integer, changed integer)
    language plpgsql set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    as $$
    #variable_conflict use_column
    begin
      perform pg_advisory_xact_lock(1212370020, 2);
      return query with recursive moved as (
        delete from blocks_due
        where position in (select position from blocks_due order by position limit most)
        returning kind, id
      ), upstream (id) as (
        (
          select id from moved where kind = 'intent'
          union
          select member.intent_id from moved
          join portfolio_members member on member.portfolio_id = moved.id
          where moved.kind = 'portfolio'
          union
          select tasks.intent_id from moved join tasks on tasks.plan_id = moved.id
          where moved.kind = 'plan'
        )
        union
        select edge.dependency_id from upstream
        join dependencies edge on edge.intent_id = upstream.id where edge.present
      ), found (id) as (
        select asked.id from upstream join suspensions asked on asked.intent_id = upstream.id
        where asked.state = 'pending'
        union
        select approvals.suspension_id from upstream
        join approvals on approvals.intent_id = upstream.id where approvals.suspension_id is not null
        union
        select id from moved where kind = 'question'
        union
        select asked ->> 'suspension_id' from moved join plans on plans.id = moved.id
        cross join lateral jsonb_array_elements(
          (plans.record -> 'checkpoints') || (plans.record -> 'escalations')
        ) asked
        where moved.kind = 'plan'
      ), counted as materialized (
        select asked.id, holdpoint_blocks(asked) as blocks
        from found join suspensions asked on asked.id = found.id where asked.state = 'pending'
      ), recounted as (
        update suspensions asked set blocks = counted.blocks from counted
        where asked.id = counted.id and asked.blocks <> counted.blocks and asked.state = 'pending'
        returning asked.id
      )
      select (select count(*)::integer from moved), (select count(*)::integer from recounted);
    end $$`.execute(db);
}
