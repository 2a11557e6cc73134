import { sql, type RawBuilder } from 'kysely';

/**
 * Erasures. Triggers keep things erased: a later write of a row stores its erased form (docs/adr/0039). For an intent,
 * `through_sequence` is the last erased event.
 */
export const erasures = sql`
  create table erasures (
    kind text not null,
    id text not null,
    erased_at timestamptz not null,
    erased_by text not null,
    through_sequence integer,
    event_sequence integer,
    primary key (kind, id)
  );
`;

/**
 * The remains of an erased question and its schedule, as in `domain/suspension/record/erasure.ts`; a test compares
 * them.
 */
export const erasedQuestions = sql`
  create function holdpoint_erased_record(record jsonb, erased_at timestamptz)
  returns jsonb language sql stable as $$
    select jsonb_build_object(
        'question', '[erased]',
        'erased_at', coalesce(
          record ->> 'erased_at',
          to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
      ) || coalesce(jsonb_object_agg(key, value) filter (where key in (
        'id', 'response_type', 'suspended_at', 'timeout_seconds', 'expires_at', 'fallback_policy',
        'question_version', 'amended_at', 'responded_at', 'resolution', 'responded_by',
        'submitted_by', 'settled_by', 'settled_at'
      )), '{}')
    from jsonb_each(record)
  $$;

  create function holdpoint_erased_schedule(schedule jsonb) returns jsonb
  language sql immutable as $$
    select schedule || jsonb_build_object('attempts', coalesce(jsonb_agg(
      jsonb_build_object(
        'attempt', due -> 'attempt', 'at', due -> 'at', 'next_attempt_at', due -> 'next_attempt_at',
        'channel_hint', null, 'notify_to', null, 'ladder', '[]'::jsonb
      ) order by place), '[]'))
    from jsonb_array_elements(schedule -> 'attempts') with ordinality attempts (due, place)
  $$;
`;

/** The remains of an erased approval, as in `domain/approval/record/erasure.ts`; a test compares them. */
export const erasedApprovals = sql`
  create function holdpoint_erased_proposal(proposal jsonb) returns jsonb
  language sql immutable as $$
    select coalesce(jsonb_object_agg(key, value) filter (where key in (
        'approval_id', 'version', 'kind', 'run_id', 'turn_index', 'agent', 'on_behalf_of',
        'route', 'risk_class'
      )), '{}') || '{"calls": [], "prompt": "[erased]", "visible_context": {}}'
    from jsonb_each(proposal)
  $$;

  create function holdpoint_erased_approval(record jsonb, erased_at timestamptz) returns jsonb
  language sql stable as $$
    select coalesce(jsonb_object_agg(key, value) filter (where key in (
        'approval_id', 'status', 'intent_id', 'asked_by', 'created_at', 'suspension_id',
        'stage', 'tier'
      )), '{}') || jsonb_build_object(
        'proposal', holdpoint_erased_proposal(record -> 'proposal'),
        'proposal_hash', repeat('0', 64),
        'proposed_hash', repeat('0', 64),
        'erased_at', coalesce(
          record ->> 'erased_at',
          to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
      ) || case when record ? 'resolution' then jsonb_build_object('resolution', (
        select jsonb_object_agg(key, value) from jsonb_each(record -> 'resolution')
        where key in ('status', 'by', 'approvers', 'resolved_at', 'respondent', 'code')
      ) || jsonb_build_object('proposal_hash', repeat('0', 64))) else '{}' end
      || case when record ? 'redemption' then jsonb_build_object('redemption',
        jsonb_build_object(
          'checkpoint', record #> '{redemption,checkpoint}',
          'request_hash', null::text,
          'calls', '[]'::jsonb
        )
      ) else '{}' end
    from jsonb_each(record)
  $$;
`;

/** Creates a function that changes the `new` row before it is written, and its trigger on a table. */
function trigger(table: string, thing: string, body: string): RawBuilder<unknown> {
  return sql.raw(`
    create function holdpoint_forget_${thing}() returns trigger language plpgsql as $$
    ${body}
      return new;
    end $$;
    create trigger forget before insert or update on ${table}
      for each row execute function holdpoint_forget_${thing}();
  `);
}

/** Creates a trigger that changes the rows of a table that an erasure is about. */
function forget(table: string, thing: string, isErased: string, changes: string) {
  const body = `begin
    if exists (select from erasures where ${isErased}) then ${changes} end if;`;
  return trigger(table, thing, body);
}

/** An erased detail loses its salt too, because the salt would prove a guess. */
const NO_PAYLOAD = `new.payload := '{}'; new.payload_salt := null;`;

/** The triggers. In events, the record of an erasure is the only payload that stays. */
export const forgetTriggers = [
  trigger(
    'suspensions',
    'suspension',
    `declare at timestamptz;
    begin
      select erased_at into at from erasures where kind = 'suspension' and id = new.id;
      if at is null then return new; end if;
      if new.question is not null then new.question := '[erased]'; end if;
      if new.schedule is not null then new.schedule := holdpoint_erased_schedule(new.schedule); end if;
      new.record := holdpoint_erased_record(new.record, at);
      new.channel_hint := null;
      new.votes := null;
      new.answer_keys := null;
      new.answer_body_hash := null;
      new.request_hash := null;
      new.claim := null;
      new.delegates := null;
      new.delegate_groups := null;`,
  ),
  trigger(
    'approvals',
    'approval',
    `declare at timestamptz;
    begin
      select erased_at into at from erasures where kind = 'approval' and id = new.id;
      if at is null then return new; end if;
      new.proposed := holdpoint_erased_proposal(new.proposed);
      new.record := holdpoint_erased_approval(new.record, at);`,
  ),
  forget(
    'suspension_timeline',
    'entry',
    `kind = 'suspension' and id = new.suspension_id`,
    `new.detail := '{}'; new.payload_salt := null;`,
  ),
  forget(
    'deliveries',
    'delivery',
    `kind = 'suspension' and id = split_part(new.delivery_id, ':', 1)`,
    'new.reference := null;',
  ),
  forget(
    'events',
    'event',
    `new.event_type <> 'personal_data_erased'
      and kind = 'intent' and id = new.intent_id and through_sequence >= new.sequence`,
    NO_PAYLOAD,
  ),
  forget(
    'run_events',
    'run_event',
    `new.event_type <> 'personal_data_erased'
      and kind = 'approval' and id = split_part(new.key, ':', 2)`,
    NO_PAYLOAD,
  ),
  // The id of a quarantined row is a hash of its content, so it goes too.
  forget(
    'journal_quarantine',
    'refused_row',
    `new.content <> '' and (
      (kind = 'suspension' and id = new.suspension_id)
      or (kind = 'approval' and id = new.approval_id)
      or (kind = 'intent' and id = new.intent_id
        and (new.kind <> 'event' or new.sequence is null or through_sequence >= new.sequence))
    )`,
    `new.content := ''; new.id := 'erased:' || gen_random_uuid();`,
  ),
];

/**
 * Things that retention removes. `removed_at` is null while a thing is complete; `swept` means that its last row is
 * gone.
 */
export const tombstones = sql`
  create table retention_tombstones (
    kind text not null,
    id text not null,
    last_sequence integer,
    head_hash text,
    reason text not null,
    marked_at timestamptz not null,
    removed_at timestamptz,
    swept boolean not null default false,
    primary key (kind, id)
  );
  create index retention_tombstones_at_work on retention_tombstones (kind, removed_at, id)
    where not swept;
`;

const OF_INTENT = `('intent', new.intent_id)`;
const OF_DELIVERY = `('suspension', split_part(new.delivery_id, ':', 1))`;

/** By table: the kinds and ids of the things that a row is about. */
const ABOUT: Readonly<Record<string, string>> = {
  intents: `('intent', new.id)`,
  events: `${OF_INTENT}, ('portfolio', new.intent_id)`,
  dependencies: OF_INTENT,
  feed_members: OF_INTENT,
  portfolios: `('portfolio', new.id)`,
  portfolio_memberships: `('portfolio', new.portfolio_id), ${OF_INTENT}`,
  suspensions: `('suspension', new.id), ${OF_INTENT}`,
  suspension_timeline: `('suspension', new.suspension_id)`,
  question_facts: `('suspension', new.suspension_id)`,
  snoozes: `('suspension', new.suspension_id)`,
  deliveries: OF_DELIVERY,
  delivery_tries: OF_DELIVERY,
  approvals: `('approval', new.id), ${OF_INTENT}`,
  tasks: OF_INTENT,
  plans: OF_INTENT,
  coordinators: `${OF_INTENT}, ('portfolio', new.portfolio_id)`,
  subscriptions: `('subscription', new.id)`,
  journal_quarantine: `${OF_INTENT}, ('portfolio', new.intent_id), ('suspension', new.suspension_id), ('approval', new.approval_id)`,
  erasures: `(new.kind, new.id)`,
};

/**
 * Triggers that keep things removed: late rows about them are not written (docs/adr/0042). They run before the trigger `forget`,
 * by their name: a row that is not written need not be erased.
 */
export const keptAway = Object.entries(ABOUT).map(([table, about]) => {
  const name = sql.ref(`holdpoint_removed_${table}`);
  return sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if exists (
        select from retention_tombstones
        where removed_at is not null and (kind, id) in (${sql.raw(about)})
      ) then
        return null;
      end if;
      return new;
    end $$;
    create trigger drop_removed before insert on ${sql.table(table)}
      for each row execute function ${name}();
  `;
});
