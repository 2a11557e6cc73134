import type { Kysely } from 'kysely';

/** Who proved to be behind an event, and whether a client only claims it. Events of 0.1 say neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('events')
    .addColumn('principal', 'text')
    .addColumn('claimed', 'boolean')
    .execute();
}
