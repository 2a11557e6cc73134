import type { Kysely } from 'kysely';

/** What an event's hash covers of its payload. An event without a salt has lost its payload to erasure. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('events')
    .addColumn('payload_commitment', 'text', (col) => col.notNull().defaultTo(''))
    .addColumn('payload_salt', 'text')
    .execute();
}
