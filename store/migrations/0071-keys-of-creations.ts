import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The hash of the body that created something under an Idempotency-Key, for all that can be created under one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'coordinators', 'subscriptions']) {
    await sql`alter table ${sql.table(table)} add column if not exists creation_hash text`.execute(
      db,
    );
  }
}
