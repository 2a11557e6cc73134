import { sql } from 'kysely';

/** The fields of a task and of a plan that lists leave out. */
const TASK_SUMMARY = sql`
  record - '{input,inputs,output,outputs,artifacts,permissions,memory_policy,metadata}'::text[]`;
const PLAN_SUMMARY = sql`record - '{checkpoints,conditions,members,metadata}'::text[]`;

/** Tasks, plans and coordinators. The record of a coordinator is as of the last change of its status, not its last heartbeat. */
export const plans = sql`
  create table tasks (
    id text primary key,
    intent_id text not null,
    plan_id text,
    status text not null,
    revision integer not null,
    created_at timestamptz not null,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    summary jsonb not null generated always as (${TASK_SUMMARY}) stored,
    summary_bytes integer not null generated always as (octet_length((${TASK_SUMMARY})::text)) stored,
    space text not null default 'default',
    creation_hash text
  );
  create index tasks_by_intent on tasks (intent_id, created_at, id);
  create index tasks_by_plan on tasks (plan_id) where plan_id is not null;
  create index tasks_waiting on tasks using gin ((record -> 'depends_on'))
    where status not in ('completed', 'failed', 'cancelled', 'skipped');

  create table plans (
    id text primary key,
    intent_id text not null,
    state text not null,
    revision integer not null,
    created_at timestamptz not null,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    summary jsonb not null generated always as (${PLAN_SUMMARY}) stored,
    summary_bytes integer not null generated always as (octet_length((${PLAN_SUMMARY})::text)) stored,
    creation_hash text,
    space text not null default 'default'
  );
  create index plans_by_intent on plans (intent_id, created_at, id);

  create table coordinators (
    id text primary key,
    version integer not null,
    intent_id text,
    portfolio_id text,
    granted_at timestamptz not null,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    space text not null default 'default',
    creation_hash text
  );
  create index coordinators_by_intent on coordinators (intent_id, granted_at, id);
  create index coordinators_by_portfolio on coordinators (portfolio_id);
  create index coordinators_by_own_intent on coordinators ((record ->> 'own_intent_id'));
`;
