import { sql } from 'kysely';
import type { Store } from '../../store/schema.js';

/** Takes the outcome of a question out of a store, as if nobody had written it. By itself a store gives no outcome up. */
export async function loseOutcome(db: Store, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`alter table suspensions disable trigger keep_answer_at_update`.execute(transaction);
    await sql`
      update suspensions set state = 'pending', resolution = null, settled_at = null,
        settled_revision = -1, record = record - 'resolution'
      where id = ${id}`.execute(transaction);
    await sql`alter table suspensions enable trigger keep_answer_at_update`.execute(transaction);
  });
}
