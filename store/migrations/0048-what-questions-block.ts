import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What waits for a question: the intent, plan or task that it holds up, what depends on these, and what contains them; and how
 * many that are, in the row of the question, so that the inbox is sorted by it. It is counted when the question changes, and
 * by `refreshBlocks` when the graph around it does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await waits(db);
  await sql`alter table suspensions add column blocks integer not null default 0`.execute(db);
  await place(db);
  await sql`drop index suspensions_by_urgency`.execute(db);
  await sql`
    create index suspensions_by_urgency on suspensions
      (state, coalesce(expires_at, 'infinity'::timestamptz), (-attempt), (-blocks), suspended_at, id)`.execute(
    db,
  );
}

/**
 * A node of kind `done` is a task after which a checkpoint holds its plan: it waits for nothing itself. The paths are cut at
 * six steps, and at so many nodes that a large graph costs little.
 */
async function waits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_waits(question text, intent text, plan text, most integer)
    returns table (kind text, id text, depth integer, path text[])
    language sql stable as $$
      with recursive held (asked) as (
        select jsonb_array_elements((record -> 'checkpoints') || (record -> 'escalations'))
        from plans where plans.id = plan
      ), reached (kind, id, depth, path) as (
        select first.kind, first.id, 0, array[first.kind || first.id]
        from (
          select 'intent' as kind, intent as id where intent is not null
          union all
          select case when asked ? 'after_task' then 'done' else 'task' end,
            coalesce(asked ->> 'after_task', asked ->> 'task_id')
          from held where asked ->> 'suspension_id' = question
        ) first
        union all
        select next.kind, next.id, reached.depth + 1, reached.path || (next.kind || next.id)
        from reached cross join lateral (
          select 'intent' as kind, dependent.id
          from dependencies edge join intents dependent on dependent.id = edge.intent_id
          where reached.kind = 'intent' and edge.dependency_id = reached.id and edge.present
            and dependent.status not in ('completed', 'abandoned')
          union all
          select 'portfolio', portfolios.id
          from portfolio_members member join portfolios on portfolios.id = member.portfolio_id
          where reached.kind = 'intent' and member.intent_id = reached.id
            and portfolios.status not in ('completed', 'abandoned')
          union all
          select 'task', tasks.id from tasks
          where reached.kind = 'intent' and tasks.intent_id = reached.id
            and tasks.status not in ('completed', 'failed', 'cancelled', 'skipped')
          union all
          select 'task', tasks.id from tasks
          where reached.kind in ('task', 'done') and tasks.record -> 'depends_on' ? reached.id
            and tasks.status not in ('completed', 'failed', 'cancelled', 'skipped')
          union all
          select 'plan', plans.id from tasks join plans on plans.id = tasks.plan_id
          where reached.kind in ('task', 'done') and tasks.id = reached.id
            and plans.state not in ('completed', 'failed', 'cancelled')
        ) next
        where reached.depth < 6
      ), bounded as (
        select * from reached limit most * 4
      ), nearest as (
        select distinct on (kind, id) kind, id, depth, path from bounded
        where kind <> 'done' order by kind, id, depth, path
      )
      select kind, id, depth, path from nearest order by depth, path limit most
    $$`.execute(db);
  await sql`
    create function holdpoint_blocks(question text, intent text, plan text) returns integer
    language sql stable as $$
      select case when intent is null and plan is null then 0
        else (select count(*)::integer from holdpoint_waits(question, intent, plan, 100)) end
    $$`.execute(db);
}

/** As in `0042-feed-of-questions.ts`, with what blocks it. A write of `blocks` alone is what `refreshBlocks` has counted. */
async function place(db: Kysely<unknown>): Promise<void> {
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
            when new.delegates is distinct from old.delegates then 'delegated'
            when new.comment_count <> old.comment_count then 'commented'
            when new.claim is distinct from old.claim then
              case when new.claim is null then 'released' else 'claimed' end
            else 'other'
          end;
          new.blocks := null;
        end if;
      else
        new.change := case new.state when 'pending' then 'opened' else 'settled' end;
        new.blocks := null;
      end if;
      if new.state = 'settled' then
        new.blocks := 0;
      elsif new.blocks is null then
        new.blocks := holdpoint_blocks(new.id, new.intent_id, new.record #>> '{context,plan_id}');
      end if;
      perform pg_advisory_xact_lock_shared(1212370020, 1);
      new.feed_position := nextval('feed_positions');
      return new;
    end $$`.execute(db);
}
