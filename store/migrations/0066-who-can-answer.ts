import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Whether the keys of a principal let it answer, and the groups that they name: workers know no keys, and judge whom the workflow of an
 * agent lets answer. Null as long as no API has noted it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table key_principals add column answers boolean, add column groups jsonb`.execute(db);
}
