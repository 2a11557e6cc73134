import type { Kysely } from 'kysely';

/** Why a suspension waits that is no question to people; null for questions, which the inbox lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('suspensions').addColumn('pause_reason', 'text').execute();
}
