import { sql } from 'kysely';

/** The fields of a record that the list of intents leaves out, because they may be large. */
const SUMMARY = sql`record - '{state,constraints,governance_policy,access}'::text[]`;

/**
 * Intents as the API returns them, and their dependencies. Columns for filters and measures are generated from the
 * record. A removed dependency keeps its row, for its revision.
 */
export const intents = sql`
  create table intents (
    id text primary key,
    version integer not null,
    status text not null,
    title text not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_sequence integer not null,
    record jsonb not null,
    head_hash text,
    parent_id text generated always as (record ->> 'parent_intent_id') stored,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    creation_hash text,
    owner text generated always as (record ->> 'owner') stored,
    access jsonb generated always as (record -> 'access') stored,
    summary jsonb not null generated always as (${SUMMARY}) stored,
    summary_bytes integer not null generated always as (octet_length((${SUMMARY})::text)) stored,
    space text not null default 'default'
  );
  create index intents_newest on intents (created_at desc, id);
  create index intents_by_space on intents (space, created_at desc, id);
  create index intents_by_status on intents (status, created_at desc, id);
  create index intents_by_parent on intents (parent_id, created_at, id) where parent_id is not null;
  create index intents_closed on intents (updated_at) where status in ('completed', 'abandoned');

  create table dependencies (
    intent_id text not null,
    dependency_id text not null,
    revision integer not null,
    present boolean not null,
    primary key (intent_id, dependency_id)
  );
  create index dependencies_by_dependency on dependencies (dependency_id, intent_id) where present;
`;

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

/** The fields of a record that the list of portfolios leaves out. */
const PORTFOLIO_SUMMARY = sql`record - '{metadata}'::text[]`;

/**
 * Portfolios and their members. An ended membership keeps its row, with null, so that a late row does not restore it;
 * `portfolio_members` shows the current ones. `portfolio_intents` has the position up to which an intent's events
 * belong to a portfolio: for a former member that of its removal, once stored.
 */
export const portfolios = sql`
  create table portfolios (
    id text primary key,
    version integer not null,
    status text not null,
    created_by text not null,
    created_at timestamptz not null,
    last_sequence integer not null,
    head_hash text,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    summary jsonb not null generated always as (${PORTFOLIO_SUMMARY}) stored,
    summary_bytes integer not null generated always as (octet_length((${PORTFOLIO_SUMMARY})::text)) stored,
    creation_hash text,
    space text not null default 'default'
  );
  create index portfolios_newest on portfolios (created_at desc, id);
  create index portfolios_by_space on portfolios (space, created_at desc, id);
  create index portfolios_by_created_by on portfolios (created_by, created_at desc, id);
  create index portfolios_by_status on portfolios (status, created_at desc, id);

  create table portfolio_memberships (
    portfolio_id text not null,
    intent_id text not null,
    revision integer not null,
    membership jsonb,
    primary key (portfolio_id, intent_id)
  );
  create index portfolio_memberships_by_intent on portfolio_memberships (intent_id);
  create view portfolio_members as
    select portfolio_id, intent_id, membership from portfolio_memberships
    where membership is not null;
  create view portfolio_intents as
    select portfolio_id, intent_id,
      case when membership is null then (
        select case change.event_type when 'portfolio.member_removed' then change.feed_position end
        from events change
        where change.event_type in ('portfolio.member_added', 'portfolio.member_removed')
          and change.intent_id = portfolio_memberships.portfolio_id
          and change.payload ->> 'intent_id' = portfolio_memberships.intent_id
        order by change.sequence desc limit 1
      ) end as until_position
    from portfolio_memberships;
`;

/**
 * The logs of intents and portfolios, with each event's position in the feed (docs/adr/0019). An event without a salt
 * has lost its payload to erasure. `feed_members` has the followers of an intent besides its creator: agents or
 * portfolios, by `kind`.
 */
export const events = sql`
  create sequence feed_positions;
  -- A sequence that gave no number yet shows its first as if it were given.
  select nextval('feed_positions');

  create table events (
    intent_id text not null,
    sequence integer not null,
    id text not null,
    event_type text not null,
    actor text not null,
    payload jsonb not null,
    created_at timestamptz not null,
    previous_event_hash text,
    event_hash text not null,
    feed_position bigint not null default nextval('feed_positions'),
    principal text not null,
    claimed boolean,
    trace_id text,
    parent_event_id text,
    bytes integer not null generated always as (octet_length(payload::text)) stored,
    payload_commitment text not null,
    payload_salt text,
    space text not null default 'default',
    -- Read backwards, it also lists an intent's events newest first.
    primary key (intent_id, sequence)
  );
  alter sequence feed_positions owned by events.feed_position;
  create unique index events_by_feed_position on events (feed_position);
  create index events_by_space on events (space, feed_position);
  create index events_by_type on events (intent_id, event_type, sequence);
  -- The first event of an intent is by its creator.
  create index events_by_creator on events (actor, intent_id) where sequence = 1;
  -- Escalations are looked for over all intents; every other event within its own.
  create index events_of_escalations on events (created_at desc, id)
    where event_type in ('escalation_requested', 'escalation_resolved');
  create index events_of_memberships on events (intent_id, (payload ->> 'intent_id'), sequence)
    where event_type in ('portfolio.member_added', 'portfolio.member_removed');

  create table feed_members (
    kind text not null,
    audience text not null,
    intent_id text not null,
    primary key (kind, audience, intent_id)
  );
  create index feed_members_by_intent on feed_members (intent_id);
`;
