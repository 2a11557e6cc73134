import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../store/schema.js';

/** Takes the outcome of a question out of a store, as if nobody had written it. */
export async function loseOutcome(db: Store, id: string): Promise<void> {
  await withoutTrigger(
    db,
    'suspensions',
    'keep_answer_at_update',
    sql`
    update suspensions set state = 'pending', resolution = null, settled_at = null,
      settled_revision = -1, record = record - 'resolution'
    where id = ${id}`,
  );
}

/** Does the same with the decision on an approval. */
export async function loseDecision(db: Store, id: string): Promise<void> {
  await withoutTrigger(
    db,
    'approvals',
    'keep_decision_at_update',
    sql`
    update approvals set status = 'pending', record = record - 'resolution' ||
      '{"status": "pending"}', revision = 1
    where id = ${id}`,
  );
}

/** By itself a store gives no outcome up. */
async function withoutTrigger(
  db: Store,
  table: string,
  trigger: string,
  update: RawBuilder<unknown>,
): Promise<void> {
  const [of, name] = [sql.table(table), sql.ref(trigger)];
  await db.transaction().execute(async (transaction) => {
    await sql`alter table ${of} disable trigger ${name}`.execute(transaction);
    await update.execute(transaction);
    await sql`alter table ${of} enable trigger ${name}`.execute(transaction);
  });
}
