import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** How far the agent of an approval has come back: what an agent looks for that brings its runs back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('approvals').addColumn('checkpoint', 'text').execute();
  await sql`
    create index approvals_to_resume on approvals (space, asked_by, created_at desc, id)
      where checkpoint in ('hibernated', 'resuming')`.execute(db);
}
