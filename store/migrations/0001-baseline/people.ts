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

/**
 * Browsers that get pushes about questions. Each belongs to a session and ends with it. `caller` is the session's
 * owner, as an API process noted it at `noted_at`. `pushes` are the open questions of a browser: due ones are still
 * to be pushed. `mark` grows with each attempt and with a delegation, so that nothing is pushed twice. `push_news`
 * are questions whose recipients are not determined yet. No table holds a word of a question.
 */
export const push = sql`
  create table push_subscriptions (
    session_id text primary key references sessions (id) on delete cascade,
    space text not null,
    caller jsonb not null,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    public_key text not null,
    shows_words boolean not null,
    noted_at timestamptz not null,
    send_at timestamptz,
    tries integer not null default 0
  );
  create index push_subscriptions_by_space on push_subscriptions (space);
  create index push_subscriptions_due on push_subscriptions (send_at) where send_at is not null;

  create table pushes (
    session_id text not null references push_subscriptions (session_id) on delete cascade,
    suspension_id text not null,
    mark integer not null,
    due boolean not null,
    primary key (session_id, suspension_id)
  );
  create index pushes_by_suspension on pushes (suspension_id);

  create table push_news (
    suspension_id text primary key,
    space text not null,
    at timestamptz not null default now()
  );
  create index push_news_by_at on push_news (at);

  create table quiet_hours (
    space text not null,
    principal text not null,
    hours jsonb not null,
    primary key (space, principal)
  );
`;

/**
 * Triggers: the end of a session removes its browser, and a question that comes, or comes again, becomes news to
 * browsers.
 */
export const pushTriggers = sql`
  create function holdpoint_end_push() returns trigger language plpgsql as $$
  begin
    delete from push_subscriptions where session_id = new.id;
    return null;
  end $$;

  create trigger end_push after update of ended_at on sessions
    for each row when (new.ended_at is not null) execute function holdpoint_end_push();

  create function holdpoint_push_news() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and new.feed_position is not distinct from old.feed_position then
      return null;
    end if;
    if exists (select from push_subscriptions where space = new.space) then
      insert into push_news (suspension_id, space) values (new.id, new.space)
      on conflict (suspension_id) do nothing;
    end if;
    return null;
  end $$;

  create trigger push_news after insert or update on suspensions for each row
    when (
      new.state = 'pending'
      and new.change in ('opened', 'attempt', 'delegated', 'eligibility_changed')
    )
    execute function holdpoint_push_news();
`;
