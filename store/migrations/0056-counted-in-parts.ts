import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Counts again what waits for questions around which the graph has moved, in parts: one thing that has moved, such as a
 * portfolio of ten thousand intents, may be around more questions than one statement has time for. So the questions are found
 * first, and left in `blocks_due`; no more of them are counted at once than was asked for, and no others are found before these are
 * few. A session plans both once, by indexes alone, for they look around few things in tables of any size. To compile the plan
 * would take longer than to carry it out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A store that an unreleased build has migrated may have the function that counted all at once.
  await sql`drop function if exists holdpoint_recount(integer)`.execute(db);
  await find(db);
  await count(db);
}

/** Leaves the questions around what has moved in place of that. */
async function find(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_find_due(most integer) returns void
    language plpgsql set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    as $$
    begin
      with recursive moved as (
        delete from blocks_due where position in (
          select position from blocks_due where kind <> 'question' order by position limit most)
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
        select asked ->> 'suspension_id' from moved join plans on plans.id = moved.id
        cross join lateral jsonb_array_elements(
          (plans.record -> 'checkpoints') || (plans.record -> 'escalations')
        ) asked
        where moved.kind = 'plan'
      )
      insert into blocks_due (kind, id) select 'question', found.id from found
      where found.id is not null
        and found.id not in (select blocks_due.id from blocks_due where kind = 'question');
    end $$`.execute(db);
}

/** One at a time, and none while an opening that has counted is not committed: each statement sees all that was counted before. */
async function count(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index blocks_due_moved on blocks_due (position) where kind <> 'question'`.execute(db);
  await sql`create index blocks_due_questions on blocks_due (id) where kind = 'question'`.execute(
    db,
  );
  await sql`
    create function holdpoint_recount(most integer)
    returns table (remaining boolean, changed integer)
    language plpgsql set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    as $$
    #variable_conflict use_column
    begin
      perform pg_advisory_xact_lock(1212370020, 2);
      if (select count(*) from (select from blocks_due where kind = 'question' limit most) due) < most
      then perform holdpoint_find_due(greatest(most / 5, 1));
      end if;
      return query with taken as (
        delete from blocks_due where position in (
          select position from blocks_due where kind = 'question' order by position limit most)
        returning position, id
      ), counted as materialized (
        select asked.id, holdpoint_blocks(asked) as blocks
        from (select distinct id from taken) due join suspensions asked on asked.id = due.id
        where asked.state = 'pending'
      ), recounted as (
        update suspensions asked set blocks = counted.blocks from counted
        where asked.id = counted.id and asked.blocks <> counted.blocks and asked.state = 'pending'
        returning asked.id
      )
      select exists (
          select from blocks_due due
          where not exists (select from taken where taken.position = due.position)),
        (select count(*)::integer from recounted);
    end $$`.execute(db);
}
