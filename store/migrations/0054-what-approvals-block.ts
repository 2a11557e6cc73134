import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What waits for a question, as in `0048-what-questions-block.ts`, and what waits for one without an intent: the workflow of
 * an agent, or the run and the intent of an approval. It is counted at the opening, and later by `recountBlocks`, which takes
 * from `blocks_due` around what the graph has moved: the transaction that moves it leaves that there, so it cannot be lost.
 * An opening that is not committed may have counted before: it holds the lock that `recountBlocks` waits for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('blocks_due')
    .addColumn('position', 'bigint', (col) => col.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('id', 'text', (col) => col.notNull())
    .execute();
  await sql`create index tasks_by_plan on tasks (plan_id) where plan_id is not null`.execute(db);
  await firstWaits(db);
  await walk(db);
  await counts(db);
  await place(db);
  await sql`
    update suspensions asked set blocks = holdpoint_blocks(asked)
    where state = 'pending' and asked_by is not null and pause_reason is null
      and blocks <> holdpoint_blocks(asked)`.execute(db);
}

/** What waits for the question itself. A node of kind `done` is as in 0048. */
async function firstWaits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_first_waits(question suspensions)
    returns table (kind text, id text)
    language sql stable as $$
      select 'intent', question.intent_id where question.intent_id is not null
      union all
      select 'workflow', question.waiting_workflow
      where question.intent_id is null and question.waiting_workflow is not null
      union all
      select 'run', question.record #>> '{approval,proposal,run_id}'
      where question.record #>> '{approval,proposal,run_id}' is not null
      union all
      select 'intent', approvals.intent_id from approvals
      where approvals.id = question.record #>> '{approval,proposal,approval_id}'
        and approvals.space = question.space and approvals.intent_id is not null
      union all
      select case when asked ? 'after_task' then 'done' else 'task' end,
        coalesce(asked ->> 'after_task', asked ->> 'task_id')
      from plans cross join lateral
        jsonb_array_elements((plans.record -> 'checkpoints') || (plans.record -> 'escalations')) asked
      where plans.id = question.record #>> '{context,plan_id}'
        and plans.space = question.space and asked ->> 'suspension_id' = question.id
    $$`.execute(db);
}

/**
 * And what waits for these. To plan the query takes ten times as long as to carry it out, so a session plans it once, by the
 * indexes that it is for: tables grow afterwards.
 */
async function walk(db: Kysely<unknown>): Promise<void> {
  await sql`drop function if exists holdpoint_blocks(text, text, text)`.execute(db);
  await sql`drop function if exists holdpoint_waits(text, text, text, integer)`.execute(db);
  await sql`
    create function holdpoint_waits(question suspensions, most integer)
    returns table (kind text, id text, depth integer, path text[])
    language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off
    as $$
    #variable_conflict use_column
    begin
      return query with recursive reached (kind, id, depth, path) as (
        select first.kind, first.id, 0, array[first.kind || first.id]
        from holdpoint_first_waits(question) first
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
      select kind, id, depth, path from nearest order by depth, path limit most;
    end $$`.execute(db);
}

/** The same by the id of a question, and how much it is. */
async function counts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_waits_of(question_id text, most integer)
    returns table (kind text, id text, depth integer, path text[])
    language sql stable as $$
      select waiting.* from suspensions asked
      cross join lateral holdpoint_waits(asked, most) waiting
      where asked.id = question_id
    $$`.execute(db);
  await sql`
    create function holdpoint_blocks(question suspensions) returns integer
    language sql stable as $$
      select case
        when question.intent_id is null and question.waiting_workflow is null
          and question.record -> 'approval' is null
          and question.record #> '{context,plan_id}' is null then 0
        else (select count(*)::integer from holdpoint_waits(question, 100)) end
    $$`.execute(db);
}

/** As in 0048, but that it counts at the opening alone: no later change of a question moves what waits for it. */
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
