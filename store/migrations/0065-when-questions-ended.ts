import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Lists settled questions by when they ended, the latest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index suspensions_by_end on suspensions 
      (space, coalesce(settled_at, '-infinity'::timestamptz), id)
    where state = 'settled'`.execute(db);
}
