import { sql } from 'kysely';

/**
 * How each principal that ever had a key can sign in now: by a key, by a token, or not at all; whether its keys let it answer, and
 * their groups, both null until an API has recorded it. `principal_sights` has the events that a principal may see by each of
 * its keys and tokens, null for none: a subscription delivers no more. A row is valid until `until`; the last recorded token
 * stays valid.
 */
export const principals = sql`
  create table key_principals (
    principal text not null,
    signs_in_by text not null,
    space text not null default 'default',
    answers boolean,
    groups jsonb,
    primary key (space, principal)
  );

  create table principal_sights (
    space text not null default 'default',
    principal text not null,
    signs_in_by text not null,
    digest text not null,
    sight jsonb,
    until timestamptz not null,
    noted_at timestamptz not null,
    primary key (space, principal, signs_in_by, digest)
  );
`;

/** Sessions of people in browsers, and links that each sign one person in once. Ids are hashes of the secret values. */
export const sessions = sql`
  create table sessions (
    id text primary key,
    space text not null,
    principal text not null,
    proof jsonb not null,
    started_at timestamptz not null,
    seen_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz
  );
  create index sessions_by_expiry on sessions (expires_at);
  create index sessions_by_principal on sessions (space, principal, seen_at);

  create table sign_in_links (
    id text primary key,
    key_digest text not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
`;

/** Registered agents, and webhook subscriptions; records are as the API returns them. */
export const agentsAndSubscriptions = sql`
  create table agents (
    agent_id text not null,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    space text not null default 'default',
    primary key (space, agent_id)
  );

  create table subscriptions (
    id text primary key,
    intent_id text,
    portfolio_id text,
    created_by text not null,
    created_at timestamptz not null,
    active boolean not null,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    space text not null default 'default',
    creation_hash text
  );
  create index subscriptions_newest on subscriptions (created_at desc, id);
  create index subscriptions_by_intent on subscriptions (intent_id);
  create index subscriptions_by_portfolio_id on subscriptions (portfolio_id, created_at desc, id);
  create index subscriptions_by_created_by on subscriptions (created_by, created_at desc, id);
  create index subscriptions_active on subscriptions (intent_id, portfolio_id) where active;
`;
