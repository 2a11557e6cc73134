import { sql } from 'kysely';

/** The fields of a record that the list of portfolios leaves out. */
const SUMMARY = sql`record - '{metadata}'::text[]`;

/**
 * Portfolios and their members. An ended membership keeps its row, with null, so that a late row does not restore it;
 * `portfolio_members` shows the current ones. `portfolio_intents` says up to which position the events of an intent belong to a
 * portfolio: for a former member up to the event of its removal, once that is stored.
 */
export const portfolios = sql`
  create table portfolios (
    id text primary key,
    version integer not null,
    status text not null,
    created_by text not null,
    created_at timestamptz not null,
    last_sequence integer not null,
    head_hash text,
    record jsonb not null,
    bytes integer not null generated always as (octet_length(record::text)) stored,
    summary jsonb not null generated always as (${SUMMARY}) stored,
    summary_bytes integer not null generated always as (octet_length((${SUMMARY})::text)) stored,
    creation_hash text,
    space text not null default 'default'
  );
  create index portfolios_newest on portfolios (created_at desc, id);
  create index portfolios_by_space on portfolios (space, created_at desc, id);
  create index portfolios_by_created_by on portfolios (created_by, created_at desc, id);
  create index portfolios_by_status on portfolios (status, created_at desc, id);

  create table portfolio_memberships (
    portfolio_id text not null,
    intent_id text not null,
    revision integer not null,
    membership jsonb,
    primary key (portfolio_id, intent_id)
  );
  create index portfolio_memberships_by_intent on portfolio_memberships (intent_id);
  create view portfolio_members as
    select portfolio_id, intent_id, membership from portfolio_memberships
    where membership is not null;
  create view portfolio_intents as
    select portfolio_id, intent_id,
      case when membership is null then (
        select case change.event_type when 'portfolio.member_removed' then change.feed_position end
        from events change
        where change.event_type in ('portfolio.member_added', 'portfolio.member_removed')
          and change.intent_id = portfolio_memberships.portfolio_id
          and change.payload ->> 'intent_id' = portfolio_memberships.intent_id
        order by change.sequence desc limit 1
      ) end as until_position
    from portfolio_memberships;
`;
