import { sql } from 'kysely';

/**
 * What waits directly for a question: its intent, the workflow of an agent, the run and the intent of an approval, or tasks that
 * a plan holds. A node of kind `done` is a task after which a checkpoint holds its plan; it does not wait itself.
 */
export const firstWaits = sql`
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
  $$;
`;

/**
 * What waits for these: what depends on them, and what contains them, up to six steps and a limited number of nodes. Planning the
 * query takes ten times as long as running it, so a session plans it once, with its indexes, because tables grow afterwards.
 */
export const waits = sql`
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
  end $$;

  create function holdpoint_waits_of(question_id text, most integer)
  returns table (kind text, id text, depth integer, path text[])
  language sql stable as $$
    select waiting.* from suspensions asked
    cross join lateral holdpoint_waits(asked, most) waiting
    where asked.id = question_id
  $$;
`;

/** The number of these, which is kept in the row of the question to sort the inbox. */
export const blocks = sql`
  create function holdpoint_blocks(question suspensions) returns integer
  language sql stable as $$
    select case
      when question.intent_id is null and question.waiting_workflow is null
        and question.record -> 'approval' is null
        and question.record #> '{context,plan_id}' is null then 0
      else (select count(*)::integer from holdpoint_waits(question, 100)) end
  $$;
`;

/**
 * They are counted at the opening, and again when the graph around the question moves: the transaction that moves something
 * records it in `blocks_due`, and `recountBlocks` takes it from there in parts. One move, such as that of a portfolio of ten
 * thousand intents, may affect more questions than one statement can count. So the questions are first found and recorded in
 * `blocks_due`; only a given number is counted at once, and no others are found before few are left.
 */
export const blocksDue = sql`
  create table blocks_due (
    position bigint generated always as identity primary key,
    kind text not null,
    id text not null
  );
  create index blocks_due_moved on blocks_due (position) where kind <> 'question';
  create index blocks_due_questions on blocks_due (id) where kind = 'question';
`;

/**
 * Replaces moves by the questions around them. A session plans this and the count once, with indexes only, because they look at
 * few things in tables of any size. Compiling the plan would take longer than running it.
 */
export const findDue = sql`
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
  end $$;
`;

/**
 * Counts run one at a time, and wait for openings that have counted and are not committed, by a lock. So each statement sees all
 * earlier counts.
 */
export const recount = sql`
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
  end $$;
`;
