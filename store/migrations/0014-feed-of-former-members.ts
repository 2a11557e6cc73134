import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * How far the events of each intent belong to a portfolio as well: those of a former member up to the event of
 * its removal. Until that event is stored, they all do.
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
          select case change.event_type when 'portfolio.member_removed' then change.feed_position end
          from events change
          where change.event_type in ('portfolio.member_added', 'portfolio.member_removed')
            and change.intent_id = portfolio_memberships.portfolio_id
            and change.payload ->> 'intent_id' = portfolio_memberships.intent_id
          order by change.sequence desc limit 1
        ) end as until_position
      from portfolio_memberships`.execute(db);
}
