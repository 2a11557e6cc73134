import type { Kysely } from 'kysely';

/** How the principals that ever had a key can sign in now: by a key, by a token, or not at all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_principals')
    .addColumn('principal', 'text', (col) => col.primaryKey())
    .addColumn('signs_in_by', 'text', (col) => col.notNull())
    .execute();
}
