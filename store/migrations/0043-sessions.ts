import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Sessions of people in browsers, and links that each sign one person in once. Ids are hashes: what a cookie or a link
 * holds is stored nowhere.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('space', 'text', (col) => col.notNull())
    .addColumn('principal', 'text', (col) => col.notNull())
    .addColumn('proof', 'jsonb', (col) => col.notNull())
    .addColumn('started_at', 'timestamptz', (col) => col.notNull())
    .addColumn('seen_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .addColumn('ended_at', 'timestamptz')
    .execute();
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db);
  await db.schema
    .createTable('sign_in_links')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('key_digest', 'text', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .addColumn('used_at', 'timestamptz')
    .execute();
}
