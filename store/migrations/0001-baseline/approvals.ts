import { sql } from 'kysely';

/**
 * Approvals as the API returns them, with the first version of the proposal. `checkpoint` is the status of the
 * agent's checkpoint. `ended_at` is for retention: the approval is decided, and its agent needs nothing more of it;
 * null while that is unknown.
 */
export const approvals = sql`
  create table approvals (
    id text primary key,
    space text not null default 'default',
    revision integer not null,
    run_id text not null,
    intent_id text,
    asked_by text not null,
    on_behalf_of text,
    status text not null,
    risk_class text not null,
    created_at timestamptz not null,
    resolved_at timestamptz,
    suspension_id text,
    proposed jsonb not null,
    record jsonb not null,
    bytes integer generated always as (octet_length(record::text)) stored,
    checkpoint text,
    ended_at timestamptz
  );
  create index approvals_newest on approvals (space, created_at desc, id);
  create index approvals_by_run on approvals (run_id, created_at desc);
  create index approvals_by_intent on approvals (intent_id) where intent_id is not null;
  create index approvals_to_resume on approvals (space, asked_by, created_at desc, id)
    where checkpoint in ('hibernated', 'resuming');
  create index approvals_waiting on approvals (created_at, id) where status = 'pending';
  create index approvals_ended on approvals (ended_at, id);
`;

/**
 * The logs of runs, which belong to no intent. An event is once under its key in the log of its run, and in the
 * stream of the asking agent. `runs` has the end and the removed part of each log, so that no entry is removed
 * unnoticed.
 */
export const runs = sql`
  create table run_events (
    space text not null default 'default',
    run_id text not null,
    sequence integer not null,
    key text not null,
    id text not null,
    event_type text not null,
    actor text not null,
    principal text not null,
    payload jsonb not null,
    payload_commitment text not null,
    payload_salt text,
    created_at timestamptz not null,
    previous_event_hash text,
    event_hash text not null,
    bytes integer generated always as (octet_length(payload::text)) stored,
    feed_position bigint not null default nextval('feed_positions'),
    asked_as text,
    primary key (space, run_id, sequence),
    constraint run_events_once unique (space, run_id, key)
  );
  create unique index run_events_by_feed_position on run_events (feed_position);
  create index run_events_by_space on run_events (space, feed_position);
  create index run_events_by_asker on run_events (space, asked_as, feed_position);

  create table runs (
    space text not null default 'default',
    run_id text not null,
    last_sequence integer not null default 0,
    head_hash text,
    removed_through integer not null default 0,
    removed_hash text,
    last_at timestamptz not null,
    kept boolean not null default true,
    primary key (space, run_id)
  );
  create index runs_idle on runs (last_at) where kept;
`;

/** Snapshots of agents that wait for an approval, each under its hash. */
export const snapshots = sql`
  create table snapshots (
    space text not null,
    hash text not null,
    run_id text not null,
    turn_index integer not null,
    saved_at timestamptz not null,
    snapshot jsonb not null,
    primary key (space, hash)
  );
  create index snapshots_of_run on snapshots (space, run_id, turn_index);
`;
