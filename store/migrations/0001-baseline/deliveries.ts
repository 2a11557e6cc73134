import { sql } from 'kysely';

/**
 * Deliveries, and every try. The number of tries restarts when the workflow continues as new; `at` does not.
 * Deliveries of two spaces with the same question id are both kept. `channel_checks` has the last results of workers'
 * checks of channels' services; it belongs to no space.
 */
export const deliveries = sql`
  create table deliveries (
    delivery_id text not null,
    channel text not null,
    reference text,
    delivered_at timestamptz not null,
    space text not null default 'default',
    person text,
    shows integer,
    due boolean not null default false,
    follow_tries integer not null default 0,
    follow_at timestamptz,
    news integer not null default 0,
    primary key (space, delivery_id)
  );
  create index deliveries_by_suspension on deliveries (split_part(delivery_id, ':', 1));
  -- A reminder goes under the first message of a question, and all of them are told how it ends.
  create index deliveries_of_question on deliveries (space, split_part(delivery_id, ':', 1));
  create index deliveries_followed on deliveries (space, delivery_id) where shows is not null;
  create index deliveries_due on deliveries (follow_at nulls first) where due;

  create table delivery_tries (
    delivery_id text not null,
    at timestamptz not null,
    try_number integer not null,
    channel text not null,
    outcome text not null,
    status_code integer,
    duration_ms integer not null,
    space text not null default 'default',
    primary key (space, delivery_id, at, try_number)
  );
  create index delivery_tries_by_suspension on delivery_tries (split_part(delivery_id, ':', 1));
  create index delivery_tries_delivered on delivery_tries (space, channel, at)
    where outcome = 'delivered';
  create index delivery_tries_failed on delivery_tries (space, channel, at)
    where outcome not in ('delivered', 'called_off', 'channel_not_configured',
      'recipient_not_allowed', 'recipient_unknown');

  create table channel_checks (
    channel text not null,
    worker text not null,
    at timestamptz not null,
    outcome text,
    reason text,
    primary key (channel, worker)
  );
`;

/**
 * Updates of messages (docs/adr/0071). `shows` is the version of the question in a message, while that can be
 * updated; `due` marks a needed update. `news` counts how often one became due: an update based on an older count
 * leaves the message due. A trigger sets this with each change.
 */
export const followUps = sql`
  create function holdpoint_question_version(record jsonb) returns integer
  language sql immutable as $$
    select coalesce(
      (record #>> '{approval,proposal,version}')::integer,
      (record ->> 'question_version')::integer,
      1
    )
  $$;

  create function holdpoint_follow_up() returns trigger language plpgsql as $$
  begin
    update deliveries set due = true, news = news + 1, follow_tries = 0, follow_at = null
    where split_part(delivery_id, ':', 1) = new.id and space = new.space and shows is not null;
    return null;
  end $$;

  create trigger follow_up after update on suspensions for each row
    when (
      (new.state = 'settled' and old.state <> 'settled')
      or holdpoint_question_version(new.record) <> holdpoint_question_version(old.record)
    )
    execute function holdpoint_follow_up();
`;

/**
 * Rows of the journal that their table refused permanently. `content` is no jsonb, and `sequence` holds any number, so that every
 * row fits. With `approval_id` a row is erased and removed with its approval.
 */
export const refusedRows = sql`
  create table journal_quarantine (
    id text primary key,
    kind text not null,
    intent_id text,
    suspension_id text,
    sequence double precision,
    reason text not null,
    content text not null,
    refused_at timestamptz not null default now(),
    space text not null default 'default',
    approval_id text
  );
  create index journal_quarantine_by_intent_id on journal_quarantine (intent_id);
  create index journal_quarantine_by_suspension_id on journal_quarantine (suspension_id);
  create index journal_quarantine_by_approval_id on journal_quarantine (approval_id)
    where approval_id is not null;
`;

/**
 * Signed checkpoints, and the end of each log in them. A leaf has a row only if it differs from the one before: the leaves of a
 * checkpoint are the newest of each log up to its number. Kind and id are compared byte by byte, the order of the tree.
 */
export const checkpoints = sql`
  create table checkpoints (
    number integer primary key,
    signed_at timestamptz not null,
    tree_size integer not null,
    root_hash text not null,
    previous_hash text,
    public_key text not null,
    signature text not null,
    filed_at timestamptz,
    posted_at timestamptz
  );

  create table checkpoint_leaves (
    kind text collate "C" not null,
    id text collate "C" not null,
    checkpoint integer not null,
    sequence integer not null,
    head_hash text not null,
    removed text,
    primary key (kind, id, checkpoint)
  );
  create index checkpoint_leaves_of on checkpoint_leaves (checkpoint);
`;

/** Workflow runs that a worker has set aside, until they continue or end. They belong to no space. */
export const setAside = sql`
  create table runs_set_aside (
    run_id text primary key,
    workflow_id text not null,
    since timestamptz not null
  );
`;

/** The last time that some worker did each check which is due once for all workers. It belongs to no space. */
export const looks = sql`
  create table looks (
    work text primary key,
    at timestamptz not null
  );
`;
