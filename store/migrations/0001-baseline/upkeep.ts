import { sql } from 'kysely';

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

/** Workflow runs that a worker has set aside, until they are seen to continue or to have ended. They belong to no space. */
export const setAside = sql`
  create table runs_set_aside (
    run_id text primary key,
    workflow_id text not null,
    since timestamptz not null
  );
`;

/** When one of the workers last looked at what each of them may look at. It belongs to no space. */
export const looks = sql`
  create table looks (
    work text primary key,
    at timestamptz not null
  );
`;
