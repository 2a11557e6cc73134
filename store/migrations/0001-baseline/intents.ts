import { sql } from 'kysely';

/** The fields of a record that the list of intents leaves out, because they may be large. */
const SUMMARY = sql`record - '{state,constraints,governance_policy,access}'::text[]`;

/**
 * Intents as the API returns them, and their dependencies. The columns by which lists filter and measure are generated from the
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
