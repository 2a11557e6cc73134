import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The place of every event in the order in which all of them are read (docs/adr/0019), and who besides
 * an intent's creator follows it: `audience` is the id of an agent or a container, by its `kind`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence feed_positions`.execute(db);
  await sql`
    alter table events
      add column feed_position bigint not null default nextval('feed_positions')`.execute(db);
  await sql`alter sequence feed_positions owned by events.feed_position`.execute(db);
  // A sequence that gave no number yet shows its first as if it were given.
  await sql`select nextval('feed_positions')`.execute(db);
  await sql`create unique index events_by_feed_position on events (feed_position)`.execute(db);
  // The first event of an intent is by its creator.
  await sql`
    create index events_by_creator on events (actor, intent_id) where sequence = 1`.execute(db);
  await db.schema
    .createTable('feed_members')
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('audience', 'text', (col) => col.notNull())
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('feed_members_pkey', ['kind', 'audience', 'intent_id'])
    .execute();
  await sql`create index feed_members_by_intent on feed_members (intent_id)`.execute(db);
}
