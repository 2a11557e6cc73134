import { sql } from 'kysely';

/**
 * What waits directly for a question: its intent, an agent's workflow, the run and the intent of an approval, or
 * tasks that a plan holds. A node of kind `done` is a task after which a checkpoint holds its plan; it does not wait
 * itself.
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
 * What waits for these: their dependents, and what contains them, up to six steps and a limited number of nodes. A
 * session plans the query once, with its indexes: planning takes ten times as long as running it, and tables grow
 * afterwards.
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
