import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Up to where the events of each intent are those of a portfolio as well: of one that is no member any more,
 * up to the event that tells so. Until that event is there, they go on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index events_of_memberships on events (intent_id, (payload ->> 'intent_id'), sequence)
      where event_type in ('portfolio.member_added', 'portfolio.member_removed')`.execute(db);
  await sql`drop index portfolio_memberships_by_intent`.execute(db);
  await sql`
    create index portfolio_memberships_by_intent on portfolio_memberships (intent_id)`.execute(db);
  await sql`
    create view portfolio_intents as
      select portfolio_id, intent_id,
        case when membership is null then (
          select case told.event_type when 'portfolio.member_removed' then told.feed_position end
          from events told
          where told.event_type in ('portfolio.member_added', 'portfolio.member_removed')
            and told.intent_id = portfolio_memberships.portfolio_id
            and told.payload ->> 'intent_id' = portfolio_memberships.intent_id
          order by told.sequence desc limit 1
        ) end as until_position
      from portfolio_memberships`.execute(db);
}
