import { sql, type RawBuilder } from 'kysely';

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
 * The people in a question's current rule: `*` for everybody, or `p:`, `r:` and `g:` with the names of principals,
 * roles and groups; and those who are excluded or have voted. They follow `ruleInForce` of
 * `domain/suspension/answering/decision.ts`, and a test compares them. `holdpoint_answered_by` names those whose
 * answer counts.
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
 * approval, and 5 where no risk is named. Triggers write `feed_position`, `change`, `searched` and `grams`.
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
    (state, coalesce(expires_at, 'infinity'::timestamptz), (-attempt), suspended_at, id);
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

const ANSWERED_AT = sql`case when resolution = 'responded' then settled_at end`;

/** Returns the milliseconds from the opening of a question; 0 for an instant before it, by another clock. */
function sinceAsked(instant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when asked_at is not null and ${instant} is not null
    then greatest(0, extract(epoch from ${instant} - asked_at) * 1000)::double precision end`;
}

/**
 * Figures of each question to people, for reports. The journal's writer derives a row from the question and its
 * timeline, in the same transaction (`store/queries/question-facts.ts`). Only `viewed_at` comes from elsewhere, and
 * may come first: `asked_at` is null until then. Durations (ms) are stored because they take most of a count's time.
 */
export const questionFacts = sql`
  create table question_facts (
    suspension_id text primary key,
    space text not null default 'default',
    asked_at timestamptz,
    asked_by text,
    tools text[] not null default '{}',
    groups text[] not null default '{}',
    channels text[] not null default '{}',
    resolution text,
    settled_at timestamptz,
    denied boolean not null default false,
    edited boolean not null default false,
    as_expected boolean not null default false,
    claimed_at timestamptz,
    viewed_at timestamptz,
    until_viewed double precision generated always as (
      ${sinceAsked(sql`least(viewed_at, claimed_at, ${ANSWERED_AT})`)}
    ) stored,
    until_claimed double precision generated always as (${sinceAsked(sql`claimed_at`)}) stored,
    until_answered double precision generated always as (${sinceAsked(ANSWERED_AT)}) stored
  );
  create index question_facts_by_age on question_facts (space, asked_at);
`;

/**
 * The position of the latest change of every question in the feed (docs/adr/0066), and the kind of change. A trigger sets them,
 * so that no writer can forget them; like every writer of the feed it takes the lock before the number. Pauses have no
 * position. The rows that fill a question come in any order, and none counts before the opening. A delegation to a person also
 * gives a claim, so fewer delegates without a new claim mean that a delegation was taken back. By its name the trigger runs
 * after the one that erases.
 */
export const questionChanges = sql`
  create function holdpoint_place_question() returns trigger language plpgsql as $$
  begin
    if new.asked_by is null or new.pause_reason is not null then return new; end if;
    if tg_op = 'UPDATE' and old.asked_by is not null then
      if (new.state, new.attempt, new.next_attempt_at, new.max_attempts, new.votes,
          new.eligibility, new.record, new.claim, new.delegates, new.delegate_groups,
          new.comment_count)
        is not distinct from
        (old.state, old.attempt, old.next_attempt_at, old.max_attempts, old.votes,
          old.eligibility, old.record, old.claim, old.delegates, old.delegate_groups,
          old.comment_count)
      then
        return new;
      end if;
      new.change := case
        when new.record ? 'erased_at' and not old.record ? 'erased_at' then 'erased'
        when new.state <> old.state then 'settled'
        when new.record is distinct from old.record then 'amended'
        when new.votes is distinct from old.votes then 'voted'
        when new.eligibility is distinct from old.eligibility then 'eligibility_changed'
        when new.attempt <> old.attempt then 'attempt'
        when (new.delegates, new.delegate_groups)
          is distinct from (old.delegates, old.delegate_groups) then
          case
            when new.claim is not null and new.claim is distinct from old.claim then 'delegated'
            when coalesce(new.delegates, '[]') <@ coalesce(old.delegates, '[]')
              and coalesce(new.delegate_groups, '{}') <@ coalesce(old.delegate_groups, '{}')
              then 'taken_back'
            else 'delegated'
          end
        when new.comment_count <> old.comment_count then 'commented'
        when new.claim is distinct from old.claim then
          case when new.claim is null then 'released' else 'claimed' end
        else 'other'
      end;
    else
      new.change := case new.state when 'pending' then 'opened' else 'settled' end;
    end if;
    perform pg_advisory_xact_lock_shared(1212370020, 1);
    new.feed_position := nextval('feed_positions');
    return new;
  end $$;

  create trigger place before insert or update on suspensions
    for each row execute function holdpoint_place_question();
`;

/**
 * The outcome of a question or an approval is final: a row with another one, as after a restored Temporal, is refused
 * with SQLSTATE 23O01. Inserts are judged too, because an upsert ignores older rows. Erased responses are not
 * compared. By their name the triggers run after the one that erases, and before the one that takes a number.
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
