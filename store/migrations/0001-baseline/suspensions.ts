import { sql } from 'kysely';

/** The channels or recipients of the attempts that were due; an empty text is the default channel, or no recipient. */
export const asked = sql`
  create function holdpoint_asked(schedule jsonb, attempt integer, field text) returns text[]
  language sql immutable parallel safe as $$
    select coalesce(array_agg(distinct coalesce(entry ->> field, '')), '{}')
    from (
      select due from jsonb_array_elements(schedule -> 'attempts') due
      where (due ->> 'attempt')::integer <= attempt
    ) attempts
    cross join lateral (
      select due as entry
      union all
      select jsonb_array_elements(due -> 'ladder')
    ) entries
  $$;
`;

/**
 * The people that the current rule of a question names: `*` for everybody, or `p:`, `r:` and `g:` with the names of principals,
 * roles and groups; and those that it is closed to, because they are excluded or have voted. They follow `ruleInForce` of
 * `domain/suspension/answering/decision.ts`, and a test compares them. `holdpoint_answered_by` names those whose answer counts.
 */
export const rules = sql`
  create function holdpoint_elements(list jsonb) returns setof jsonb
  language sql immutable parallel safe as $$
    select jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end)
  $$;

  create function holdpoint_named(eligible jsonb) returns text[]
  language sql immutable parallel safe as $$
    select coalesce(array_agg(prefix || (name #>> '{}')), '{}')
    from (values ('principals', 'p:'), ('roles', 'r:'), ('groups', 'g:')) kinds (kind, prefix)
    cross join lateral holdpoint_elements(eligible -> kind) name
  $$;

  create function holdpoint_eligible(record jsonb, attempt integer, changed jsonb) returns text[]
  language sql immutable parallel safe as $$
    with levels as (
      select (rung ->> 'attempt')::integer as level, rung -> 'eligible' as eligible
      from holdpoint_elements(record #> '{retry_policy,escalation_ladder}') rung
      where rung ? 'eligible' and (rung ->> 'attempt')::integer <= attempt
    ), latest as (
      select coalesce(max(level), 0) as level from levels
    ), in_force as (
      select changed -> 'eligible' as eligible from latest
      where (changed ->> 'attempt')::integer >= level
      union all
      select eligible from levels join latest using (level)
      where changed is null or (changed ->> 'attempt')::integer < level
      union all
      select record #> '{decision_rule,eligible}' from latest where changed is null and level = 0
    )
    select case
      when bool_or(cardinality(holdpoint_named(eligible)) = 0) then '{*}'
      else (
        select array_agg(distinct name) from in_force
        cross join lateral unnest(holdpoint_named(eligible)) name
      )
    end
    from in_force
  $$;

  create function holdpoint_closed_to(record jsonb, votes jsonb) returns text[]
  language sql immutable parallel safe as $$
    select coalesce(array_agg(distinct name) filter (where name is not null), '{}')
    from (
      select name #>> '{}' as name
      from holdpoint_elements(record #> '{decision_rule,excluded}') name
      union all
      select vote ->> 'principal' from holdpoint_elements(votes) vote
    ) closed
  $$;

  create function holdpoint_answered_by(record jsonb, votes jsonb) returns text[]
  language sql immutable parallel safe as $$
    select coalesce(array_agg(distinct name) filter (where name is not null), '{}')
    from (
      select unnest(array[record ->> 'responded_by', record ->> 'submitted_by']) as name
      union all
      select unnest(array[vote ->> 'principal', vote ->> 'actor'])
      from holdpoint_elements(coalesce(record -> 'votes', votes)) vote
    ) answering
  $$;
`;

/**
 * Questions and pauses. The columns by which the inbox filters and sorts are generated, because the rows that fill a suspension
 * arrive in any order. `pause_reason` is null for questions. `risk` is 1 for a critical
 * approval, and 5 where no risk is named. Triggers write `feed_position`, `change`, `blocks`, `searched`
 * and `grams`.
 */
export const suspensions = sql`
  create table suspensions (
    id text primary key,
    intent_id text,
    asked_by text,
    question text,
    response_type text,
    channel_hint text,
    suspended_at timestamptz,
    expires_at timestamptz,
    schedule jsonb,
    record jsonb not null default '{}',
    progress_revision integer not null default -1,
    attempt integer not null default 1,
    max_attempts integer not null default 1,
    next_attempt_at timestamptz,
    settled_revision integer not null default -1,
    state text not null default 'pending',
    resolution text,
    settled_at timestamptz,
    answer_key text,
    answer_body_hash text,
    asked_channels text[] not null
      generated always as (holdpoint_asked(schedule, attempt, 'channel_hint')) stored,
    asked_recipients text[] not null
      generated always as (holdpoint_asked(schedule, attempt, 'notify_to')) stored,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    request_key text,
    request_hash text,
    votes jsonb,
    eligibility jsonb,
    answer_keys jsonb,
    space text not null default 'default',
    pause_reason text,
    claim jsonb,
    comment_count integer not null default 0,
    delegates jsonb,
    delegate_groups jsonb,
    eligible text[] not null generated always as (
      case
        when eligibility is null and record -> 'decision_rule' is null
          and record #> '{retry_policy,escalation_ladder}' is null then '{*}'::text[]
        else holdpoint_eligible(record, attempt, eligibility)
      end
    ) stored,
    closed_to text[] not null generated always as (
      case
        when votes is null and record -> 'decision_rule' is null then '{}'::text[]
        else holdpoint_closed_to(record, votes)
      end
    ) stored,
    feed_position bigint,
    change text,
    blocks integer not null default 0,
    asked_as text,
    waiting_workflow text,
    risk integer not null generated always as (
      coalesce(array_position('{critical,high,medium,low}'::text[],
        record #>> '{approval,proposal,risk_class}'), 5)
    ) stored,
    answered_by text[] not null generated always as (
      case
        when votes is null and record -> 'votes' is null
          then array_remove(array[record ->> 'responded_by', record ->> 'submitted_by'], null)
        else holdpoint_answered_by(record, votes)
      end
    ) stored,
    searched text not null default '',
    grams tsvector not null default ''
  );

  create table suspension_timeline (
    suspension_id text not null,
    sequence integer not null,
    at timestamptz not null,
    kind text not null,
    detail jsonb not null,
    payload_commitment text not null,
    payload_salt text,
    previous_event_hash text,
    event_hash text not null,
    space text not null default 'default',
    primary key (suspension_id, sequence)
  );

  -- Which questions a person does not want to see, and until when.
  create table snoozes (
    space text not null default 'default',
    principal text not null,
    suspension_id text not null,
    ends_at timestamptz not null,
    attempt integer,
    question_version integer not null,
    snoozed_at timestamptz not null,
    primary key (space, principal, suspension_id)
  );
  create index snoozes_by_question on snoozes (suspension_id, principal);

  -- The lists that a person comes back to.
  create table saved_views (
    space text not null,
    principal text not null,
    id text not null,
    name text not null,
    filter jsonb not null,
    saved_at timestamptz not null,
    primary key (space, principal, id),
    unique (space, principal, name)
  );
`;

/** Indexes for lists, look-ups and counts. */
export const suspensionIndexes = sql`
  create index suspensions_by_intent on suspensions (intent_id, suspended_at desc);
  create index suspensions_by_request on suspensions (intent_id, request_key)
    where request_key is not null;
  create index suspensions_by_approval on suspensions ((record #>> '{approval,proposal,approval_id}'))
    where record #>> '{approval,proposal,approval_id}' is not null;

  create index suspensions_by_age on suspensions (state, suspended_at, id);
  create index suspensions_by_asker on suspensions (state, asked_by, suspended_at, id);
  create index suspensions_by_end on suspensions
    (space, coalesce(settled_at, '-infinity'::timestamptz), id) where state = 'settled';
  -- What the inbox counts is read from this index alone.
  create index suspensions_by_resolution on suspensions (resolution, suspended_at, id)
    where asked_by is not null and pause_reason is null;
  create index suspensions_by_space on suspensions (space, state, suspended_at, id);
  create index suspensions_by_urgency on suspensions
    (state, coalesce(expires_at, 'infinity'::timestamptz), (-attempt), (-blocks), suspended_at, id);
  create index suspensions_by_risk on suspensions
    (state, risk, coalesce(expires_at, 'infinity'::timestamptz), suspended_at, id);
  create index suspensions_by_settling on suspensions (settled_at, id) where state = 'settled';
  create index suspensions_settled_alone on suspensions (settled_at)
    where intent_id is null and state = 'settled';

  create index suspensions_by_asked_channels on suspensions using gin (asked_channels);
  create index suspensions_by_asked_recipients on suspensions using gin (asked_recipients);
  create index suspensions_by_answerer on suspensions using gin (answered_by)
    where answered_by <> '{}';
  create index suspensions_by_claim on suspensions ((claim ->> 'holder'))
    where state = 'pending' and claim is not null;
  create index suspensions_by_delegate on suspensions using gin (delegates)
    where delegates is not null;
  create index suspensions_by_delegate_group on suspensions using gin (delegate_groups)
    where delegate_groups is not null;
  create index suspensions_by_eligible on suspensions using gin (eligible);

  create index suspensions_by_feed_position on suspensions (feed_position);
  create index suspensions_by_change on suspensions (space, feed_position);
`;
