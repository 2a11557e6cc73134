import { sql } from 'kysely';

/**
 * The logs of intents and portfolios, with the position of every event in the feed (docs/adr/0019). An event without a salt has
 * lost its payload to erasure. `feed_members` has the followers of an intent besides its creator: `audience` is the id of an
 * agent or a portfolio, by `kind`.
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
