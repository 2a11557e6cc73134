import type { Kysely } from 'kysely';

/** The hash chain over each log; events of before have no hash, which no check takes for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('events')
    .addColumn('previous_event_hash', 'text')
    .addColumn('event_hash', 'text', (col) => col.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('intents').addColumn('head_hash', 'text').execute();
}
