import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { forgetApprovals, questionsOfApprovals } from './erase-approvals.js';
import type { PlacedApproval } from './erase-approvals.js';
import { markErased } from './erasure-marks.js';
import type { ErasureMark } from './erasure-marks.js';
import { writeErasedFacts } from './question-facts.js';

/**
 * Keeps other transactions from writing rows that are about to be erased, until this one ends: it finds the rows that they
 * have written, and a trigger erases those that they write later. The order is that of the journal's writers and of
 * `lockRuns`, so that they cannot block each other.
 */
export async function lockRows(transaction: Store): Promise<void> {
  await sql`
    lock table intents, suspensions, approvals, suspension_timeline, events, deliveries,
      journal_quarantine, runs, run_events, snapshots in share row exclusive mode`.execute(
    transaction,
  );
}

/** The most events that one statement erases: each has to end within the store's timeout. */
const EVENTS_AT_ONCE = 5_000;

/** Erases the events of an intent up to a sequence, by touching them: a trigger erases them. */
export async function forgetEvents(
  transaction: Store,
  intentId: string,
  through: number,
): Promise<void> {
  const { last } = await transaction
    .selectFrom('events')
    .select((eb) => eb.fn.coalesce(eb.fn.max('sequence'), eb.lit(0)).as('last'))
    .where('intent_id', '=', intentId)
    .executeTakeFirstOrThrow();
  const end = Math.min(last, through);
  for (let before = 0; before < end; before += EVENTS_AT_ONCE) {
    await sql`
      update events set payload = payload where intent_id = ${intentId}
        and sequence > ${before} and sequence <= ${Math.min(before + EVENTS_AT_ONCE, end)}`.execute(
      transaction,
    );
  }
}

/** Erases settled questions, and approvals with their questions: each has a copy of the proposal. */
export async function forgetQuestionsAndApprovals(
  transaction: Store,
  questions: readonly string[],
  approvals: readonly PlacedApproval[],
  mark: ErasureMark,
): Promise<void> {
  const ids = approvals.map(({ id }) => id);
  const asked = await questionsOfApprovals(transaction, ids);
  await forgetSuspensions(transaction, [...new Set([...questions, ...asked])], mark);
  await forgetApprovals(transaction, approvals, mark);
}

/** Triggers erase the rows that are touched. */
async function forgetSuspensions(
  transaction: Store,
  ids: readonly string[],
  mark: ErasureMark,
): Promise<void> {
  if (ids.length === 0) return;
  const all = sql`array[${sql.join(ids)}]::text[]`;
  await markErased(transaction, 'suspension', ids, mark);
  await sql`update suspensions set state = state where id = any (${all})`.execute(transaction);
  await sql`
    update suspension_timeline set kind = kind where suspension_id = any (${all})`.execute(
    transaction,
  );
  await writeErasedFacts(transaction, ids);
  await sql`
    update deliveries set channel = channel
    where split_part(delivery_id, ':', 1) = any (${all})`.execute(transaction);
  await sql`
    update journal_quarantine set content = content where suspension_id = any (${all})`.execute(
    transaction,
  );
}
