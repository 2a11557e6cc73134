import { sql } from 'kysely';
import type { JournalRow, RowOf } from '../../../contracts/log/journal.js';
import type { Store } from '../../schema.js';
import {
  approvalOfQuestion,
  approvalsOf,
  forgetApprovals,
  questionsOfApprovals,
  questionsSetAside,
  type PlacedApproval,
} from './erase-approvals.js';
import { markErased, markOf, type ErasureMark } from './erasure-marks.js';
import { writeErasedFacts } from '../question-facts.js';
import { randomBytes } from 'node:crypto';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { LAST_REVISION } from '../../../contracts/constants/limits.js';
import type { IntentErasure, SuspensionErasure } from '../../../contracts/log/erasure.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import {
  checkSettled,
  erasedIntent,
  erasureEvent,
  isStillErased,
} from '../../../domain/intent/erasure.js';
import { sealEvent } from '../../../domain/log/seal.js';
import { checkApproval } from '../../../domain/approval/record/erasure.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { lockShared } from '../../advisory-locks.js';
import { toJsonText, toText } from '../../column-values.js';
import { announceFeed } from '../../feed/notices.js';
import { wholeStore } from '../../in-space.js';
import { insertEvents } from '../event-log.js';
import { isAny } from '../bounded.js';
import { rowsOf } from '../upsert.js';

/**
 * Returns the ids of the questions and approvals of an intent since an erasure, whose row can come late. A question
 * counts if both of its times say so, because an OpenIntent agent sets the first by its own clock. Quarantined rows
 * must not be erased yet.
 *
 * @param at - the instant of the erasure (ISO-8601)
 */
export async function askedSince(
  db: Store,
  intentId: string,
  at: string,
): Promise<ReadonlySet<string>> {
  const refused = await askedAsideSince(db, intentId, at);
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where intent_id = ${intentId} and suspended_at >= ${at}::timestamptz
      and (settled_at is null or settled_at > ${at}::timestamptz)
    union all
    select id from unnest(${refused}::text[]) as refused (id)
    where not exists (
      select from suspensions
      where suspensions.id = refused.id and settled_at <= ${at}::timestamptz
    )
    union all
    select id from approvals where intent_id = ${intentId} and created_at >= ${at}::timestamptz`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns those whose first row is quarantined, by the first of their times. An invalid time may be the reason. */
async function askedAsideSince(
  db: Store,
  intentId: string,
  at: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('journal_quarantine')
    .select('content')
    .where('intent_id', '=', intentId)
    .where('kind', 'in', ['suspension_opened', 'approval'])
    .where('content', '<>', '')
    .execute();
  return rows
    .map(({ content }) => beginningOf(JSON.parse(content) as AskedRow))
    .filter(({ since }) => Date.parse(since) >= Date.parse(at))
    .map(({ id }) => id);
}

type AskedRow = RowOf<'suspension_opened' | 'approval'>;

function beginningOf(row: AskedRow): { readonly id: string; readonly since: string } {
  return row.kind === 'approval'
    ? { id: row.approval.approval_id, since: row.approval.created_at }
    : { id: row.record.id, since: row.record.suspended_at };
}

/**
 * Keeps other transactions from writing rows that are about to be erased, until this one ends. The order is that of
 * the journal's writers and of `lockRuns`, so that they cannot block each other.
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

/** The principal that orders an erasure, the name that it uses, and the time (ISO-8601). */
export interface ErasureOrder {
  readonly by: string;
  readonly actor: string;
  readonly at: string;
}

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
  // A repeated row must not erase later questions.
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
 * Erases an intent whose workflow is closed or gone, in one transaction; its earlier rows that arrive later are
 * erased too. Returns undefined if the intent is not stored. Refuses `question_open`.
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
