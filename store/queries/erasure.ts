import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LAST_REVISION } from '../../contracts/constants/limits.js';
import type { IntentErasure, SuspensionErasure } from '../../contracts/log/erasure.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import {
  checkSettled,
  erasedIntent,
  erasureEvent,
  isStillErased,
} from '../../domain/intent/erasure.js';
import { sealEvent } from '../../domain/log/seal.js';
import { checkApproval } from '../../domain/approval/record/erasure.js';
import { ok } from '../../domain/kernel/ruling.js';
import { lockShared } from '../advisory-locks.js';
import { toJsonText, toText } from '../column-values.js';
import { announceFeed } from '../feed/notices.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';
import { insertEvents } from './append-events.js';
import { askedSince } from './asked-since.js';
import { isAny } from './bounded.js';
import { approvalOfQuestion, approvalsOf, questionsSetAside } from './erase-approvals.js';
import { forgetEvents, forgetQuestionsAndApprovals, lockRows } from './erased-rows.js';
import { markOf } from './erasure-marks.js';
import { rowsOf } from './upsert.js';

/** The principal that orders an erasure, the name that it uses, and the time (ISO-8601). */
export interface ErasureOrder {
  readonly by: string;
  readonly actor: string;
  readonly at: string;
}

/** Returns the current erasure of an intent, or undefined. */
export async function findErasure(db: Store, intentId: string): Promise<IntentErasure | undefined> {
  const row = await db
    .selectFrom('erasures')
    .select(['erased_at', 'erased_by', 'event_sequence'])
    .where('kind', '=', 'intent')
    .where('id', '=', intentId)
    .executeTakeFirst();
  if (row === undefined || row.event_sequence === null) return undefined;
  const { event_sequence } = row;
  return { intent_id: intentId, through_sequence: event_sequence - 1, ...row, event_sequence };
}

/** Returns the erasure of a question, by itself or with its intent; or undefined. */
export async function findSuspensionErasure(
  db: Store,
  suspensionId: string,
): Promise<SuspensionErasure | undefined> {
  const mark = await markOf(db, 'suspension', suspensionId);
  return mark && { suspension_id: suspensionId, ...mark };
}

/** Returns the questions of an intent that are stored, or whose openings are quarantined. */
export async function questionsOf(db: Store, intentId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions where intent_id = ${intentId}
    union ${questionsSetAside(sql`aside.intent_id = ${intentId}`)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks the rows that a batch erases, if any. The batch has to begin with this. */
export async function lockForErasures(
  transaction: Store,
  rows: readonly JournalRow[],
): Promise<void> {
  if (rowsOf(rows, 'erasure').length === 0) return;
  // A recount takes this lock before it changes questions; in the other order the two could deadlock.
  await lockShared(transaction, 'counts');
  await lockRows(transaction);
}

/** Carries out the erasures of a batch. A repeated row changes nothing. */
export async function writeErasures(
  transaction: Store,
  rows: readonly JournalRow[],
): Promise<void> {
  for (const { kind: _, ...erasure } of rowsOf(rows, 'erasure')) {
    await forgetIntent(transaction, erasure, erasure.through_sequence);
  }
}

/** @param through - the last event to erase, which may still be to come */
async function forgetIntent(
  transaction: Store,
  { intent_id, erased_at, erased_by, event_sequence }: IntentErasure,
  through: number,
): Promise<void> {
  const noted = sql`
    insert into erasures (kind, id, erased_at, erased_by, through_sequence, event_sequence)
    values ('intent', ${intent_id}, ${erased_at}::timestamptz, ${toText(erased_by)}, ${through}, ${event_sequence})
    on conflict (kind, id) do update set
      erased_at = excluded.erased_at, erased_by = excluded.erased_by,
      through_sequence = excluded.through_sequence, event_sequence = excluded.event_sequence
      where excluded.event_sequence > erasures.event_sequence
    returning id`;
  // A repeated row must not erase questions that were asked since.
  if (!(await isAny(transaction, noted))) return;
  await transaction
    .updateTable('intents')
    .set({ creation_hash: null })
    .where('id', '=', intent_id)
    .execute();
  // Quarantined rows are read before they are erased.
  const later = await askedSince(transaction, intent_id, erased_at);
  const questions = (await questionsOf(transaction, intent_id)).filter((id) => !later.has(id));
  const decided = (await approvalsOf(transaction, intent_id)).filter(
    ({ id, pending }) => !pending && !later.has(id),
  );
  await forgetEvents(transaction, intent_id, through);
  // A trigger erases the touched rows.
  await sql`
    update journal_quarantine set content = content where intent_id = ${intent_id}`.execute(
    transaction,
  );
  await forgetQuestionsAndApprovals(transaction, questions, decided, { erased_at, erased_by });
}

/**
 * Erases an intent whose workflow is closed or gone, in one transaction: nothing that it wrote before may come back later.
 * Returns undefined if the intent is not stored. Refuses `question_open`.
 */
export async function eraseClosedIntent(
  db: Store,
  intentId: string,
  order: ErasureOrder,
  space: string = DEFAULT_SPACE,
): Promise<Ruling<IntentErasure> | undefined> {
  const whole = wholeStore(db);
  const erasure = await whole.transaction().execute(async (transaction) => {
    await lockRows(transaction);
    return eraseIntent(transaction, intentId, order, space);
  });
  announceFeed(whole);
  return erasure;
}

async function eraseIntent(
  transaction: Store,
  intentId: string,
  { by, actor, at }: ErasureOrder,
  space: string,
): Promise<Ruling<IntentErasure> | undefined> {
  const stored = await transaction
    .selectFrom('intents')
    .select('record')
    .where('id', '=', intentId)
    .where('space', '=', space)
    .executeTakeFirst();
  const last = await transaction
    .selectFrom('events')
    .select(['sequence', 'event_hash'])
    .where('intent_id', '=', intentId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (stored === undefined || last === undefined) return undefined;
  const before = await findErasure(transaction, intentId);
  if (isStillErased(before, last.sequence)) return ok(before);
  const settled = checkSettled(await hasOpenQuestion(transaction, intentId), 'status');
  if (!settled.ok) return settled;
  const through_sequence = last.sequence;
  const place = { intent_id: intentId, sequence: last.sequence + 1, created_at: at };
  const draft = { ...erasureEvent(through_sequence, actor), principal: by, ...place };
  const event = sealEvent(draft, last.event_hash, randomBytes(32).toString('base64url'));
  const erasure = {
    intent_id: intentId,
    erased_at: at,
    erased_by: by,
    through_sequence,
    event_sequence: event.sequence,
  };
  // A closed workflow should write nothing more; whatever still comes is erased.
  await forgetIntent(transaction, erasure, LAST_REVISION);
  const intent = erasedIntent(stored.record, at);
  await transaction
    .updateTable('intents')
    .set({
      title: toText(intent.title),
      version: intent.version,
      updated_at: at,
      last_sequence: event.sequence,
      head_hash: event.event_hash,
      record: toJsonText(intent),
    })
    .where('id', '=', intentId)
    .execute();
  await lockShared(transaction, 'feed');
  await insertEvents(transaction, [event], space);
  return ok(erasure);
}

async function hasOpenQuestion(transaction: Store, intentId: string): Promise<boolean> {
  const approvals = await approvalsOf(transaction, intentId);
  if (approvals.some(({ pending }) => pending)) return true;
  const open = sql`
    select from suspensions where intent_id = ${intentId} and state = 'pending' limit 1`;
  return isAny(transaction, open);
}

/**
 * Erases a settled question in one transaction; a repetition changes nothing. If it asks for an approval, that is erased
 * with all of its questions. Returns undefined if the question is not stored. Refuses `question_open`, also while the
 * approval is undecided, and `question_of_intent` if the approval belongs to an intent.
 */
export async function eraseSuspension(
  db: Store,
  suspensionId: string,
  { by, at }: Pick<ErasureOrder, 'by' | 'at'>,
  space: string = DEFAULT_SPACE,
): Promise<Ruling<SuspensionErasure> | undefined> {
  const whole = wholeStore(db);
  const erasure = await whole.transaction().execute(async (transaction) => {
    await lockRows(transaction);
    const stored = await transaction
      .selectFrom('suspensions')
      .select('state')
      .where('id', '=', suspensionId)
      .where('space', '=', space)
      .executeTakeFirst();
    if (stored === undefined) return undefined;
    const settled = checkSettled(stored.state === 'pending', 'state');
    if (!settled.ok) return settled;
    const approval = await approvalOfQuestion(transaction, suspensionId);
    const erasable = checkApproval(approval);
    if (!erasable.ok) return erasable;
    const approvals = approval ? [approval] : [];
    const mark = { erased_at: at, erased_by: by };
    await forgetQuestionsAndApprovals(transaction, [suspensionId], approvals, mark);
    const made = await findSuspensionErasure(transaction, suspensionId);
    return made && ok(made);
  });
  announceFeed(whole);
  return erasure;
}
