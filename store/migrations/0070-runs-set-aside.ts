import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The runs of workflows that a worker has set aside, until somebody sees that they go on or have ended. Of no space. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs_set_aside (
      run_id text primary key,
      workflow_id text not null,
      since timestamptz not null
    )`.execute(db);
}
