import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The place of every event of a run in the one order of all events, and in whose name its approval was asked: the stream
 * of this agent has it. What was logged before is placed behind everything else, each run in its order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table run_events add column feed_position bigint, add column asked_as text`.execute(
    db,
  );
  await sql`
    update run_events set feed_position = placed.feed_position
    from (
      select space, run_id, sequence, nextval('feed_positions') as feed_position
      from (select * from run_events order by space, run_id, sequence) in_order
    ) placed
    where placed.space = run_events.space and placed.run_id = run_events.run_id
      and placed.sequence = run_events.sequence`.execute(db);
  await sql`
    alter table run_events
      alter column feed_position set default nextval('feed_positions'),
      alter column feed_position set not null`.execute(db);
  await sql`
    create unique index run_events_by_feed_position on run_events (feed_position)`.execute(db);
  // What one space does must not make the streams of another slow.
  await sql`create index run_events_by_space on run_events (space, feed_position)`.execute(db);
  await sql`
    create index run_events_by_asker on run_events (space, asked_as, feed_position)`.execute(db);
}
