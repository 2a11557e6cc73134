import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { condition, log, type WorkflowIdReusePolicy } from '@temporalio/workflow';
import type { Sent } from '../../contracts/people/caller.js';
import { defined } from '../../contracts/constants/defined.js';
import { LAST_REVISION, LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { DueDeadline } from '../../contracts/portfolio/portfolio.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { slotOf } from '../../domain/intent/state-patch.js';
import {
  abandonForDeadline,
  amendQuestion,
  beginSuspension,
  checkSuspendable,
  endSuspension,
} from '../../domain/intent/suspension.js';
import { readInstant, toInstant } from '../../domain/kernel/time.js';
import { keepSubmitted } from '../../domain/openintent/question-writes.js';
import { attemptEvents } from '../../domain/suspension/record/events.js';
import { openingRow } from '../../domain/suspension/record/opening-row.js';
import { isReport } from '../../domain/suspension/record/message-form.js';
import { isDeadline, lostRecord } from '../../domain/suspension/record/state.js';
import { now, reach } from '../engine/clock.js';
import { demand, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { WRITERS } from '../engine/row-duty.js';
import { peerIdOf } from '../engine/space.js';
import {
  expireNowSignal,
  suspensionReportSignal,
  type SuspensionInput,
  type SuspensionReport,
} from '../suspension/messages.js';
import type { EndedQuestion } from '../suspension/watch.js';
import { newQuestion, openQuestion } from '../suspension/open-question.js';
import { settledRow } from '../suspension/rows.js';
import { withFindings } from './waiting.js';
import type { IntentEntity } from './entity.js';
import { suspendUpdate, type SuspendInput, type SuspendReceipt } from './messages.js';
import { mayDo } from './rights.js';

/** Opens questions, and handles their reports and their ends. */
export function registerQuestions(entity: IntentEntity): void {
  onWrite(
    entity,
    suspendUpdate,
    'Ask a question, and wait for its answer',
    (input) => {
      demand(mayDo(entity, input.by, 'suspend'));
      if (knownRequest(entity, input)) return;
      demand(checkSuspendable(entity.intent, input.draft, LIMITS.intentStateBytes));
    },
    uncancelled((input) => suspend(entity, input)),
  );
  onSignal(suspensionReportSignal, isReport, (report) => takeReport(entity, report));
  entity.watch.start((ended) => takeResult(entity, ended), entity.isFirstRun);
  onSignal(expireNowSignal, isDeadline, (message) => expireWait(entity, message));
}

/** The suspension that a request_key opened before. */
function knownRequest({ requestKeys }: IntentEntity, input: SuspendInput): string | undefined {
  return demand(requestKeys.find(input.request, input.is_new === true));
}

async function suspend(entity: IntentEntity, input: SuspendInput): Promise<SuspendReceipt> {
  const known = knownRequest(entity, input);
  if (known) {
    await condition(() => entity.opening !== known);
    return { suspension_id: known, reattached: true };
  }
  if (input.stored_head !== undefined) entity.journal.stored(input.stored_head);
  const suspension = entity.leaveTo(input.sender_writes, () => ask(entity, input));
  const { id } = suspension.record;
  if (input.request) entity.requestKeys.add({ ...input.request, suspension_id: id });
  const view = await startSuspension(entity, suspension);
  const rows = input.sender_writes && { rows: entity.journal.leftAfter() };
  return { suspension_id: id, reattached: false, view, ...rows };
}

function ask(entity: IntentEntity, input: SuspendInput): SuspensionInput {
  const { by, actor, draft, findings, request } = input;
  const question = newQuestion(draft, {
    ...askerOf(entity, input),
    ...defined({ findings, request }),
  });
  const { record, schedule } = question;
  const change = beginSuspension(entity.intent, record, schedule, actor, findings);
  const rows = entity.commit(change, by.principal);
  noteQuestion(entity, question, rows);
  entity.journal.append(openingRow(question));
  return question;
}

/** The intent as the asker of a question, on behalf of a principal, with the name under which that asks. */
export function askerOf({ intent: { id } }: IntentEntity, { by, actor }: Sent) {
  const subject_workflow_id = peerIdOf('intent', id);
  const asked_by = by.principal;
  const other = actor !== asked_by && { asked_as: actor };
  return { intent_id: id, subject_workflow_id, writers: WRITERS.intent, asked_by, ...other };
}

/** Records the question that the intent waits for from now on, with its events. */
export function noteQuestion(
  entity: IntentEntity,
  question: SuspensionInput,
  rows: readonly IntentEvent[],
  agent?: string,
): void {
  const { record, findings } = question;
  const { id: suspension_id } = record;
  entity.recorded.turnTo(suspension_id);
  entity.recorded.note(rows);
  entity.active = { suspension_id, report_sequence: 0, ...defined({ agent, findings }) };
  entity.waiting.asked(record, question.asked_by);
}

function instantOf(report: Exclude<SuspensionReport, { readonly kind: 'voted' }>): string {
  if (report.kind === 'settled') return report.record.settled_at;
  return report.kind === 'event' ? report.at : report.attempt.at;
}

/** Applies a report. A report of another suspension, or a repeated one, changes nothing. */
function takeReport(entity: IntentEntity, report: SuspensionReport): void {
  if (report.kind === 'voted') return;
  if (entity.isOpen(report.suspension_id)) reach(instantOf(report));
  entity.settleDue();
  if (report.kind === 'settled') entity.journal.append(...(report.rows ?? []));
  const { active } = entity;
  if (active?.suspension_id !== report.suspension_id) return;
  if (report.report_sequence <= active.report_sequence) return;
  entity.active = { ...active, report_sequence: report.report_sequence };
  if (report.kind === 'settled') close(entity, report.record, report.attempt);
  else if (report.kind === 'event') takeEvent(entity, report);
  else {
    const { attempt, max_attempts, skipped } = report;
    const { suspension_id: id, agent } = active;
    entity.recordUnlessPosted(attemptEvents(id, attempt, max_attempts, skipped, agent));
    entity.waiting.reached(attempt.attempt);
    entity.announcer.changed();
  }
}

/** Applies an action on the question; an amendment changes the record in the state too. */
function takeEvent(
  entity: IntentEntity,
  { at, event, amended, findings }: Extract<SuspensionReport, { readonly kind: 'event' }>,
): void {
  if (amended && entity.active) entity.active = withFindings(entity.active, findings);
  if (amended === undefined) entity.record(event);
  else entity.commit(amendQuestion(entity.intent, amended, event, at));
}

/**
 * Applies the unreported end of a question; the resulting rows are left to the settler if it writes them. A task that
 * only leaves rows may be joined with the next one, so the task must change the status too.
 */
function takeResult(
  entity: IntentEntity,
  { suspension_id, record, attempt, rows, sender_writes }: EndedQuestion,
): void {
  const { status } = entity.intent;
  entity.leaveTo(sender_writes, () => {
    if (record) reach(record.settled_at);
    if (rows.length > 0) {
      entity.settleDue();
      entity.journal.append(...rows);
    }
    if (entity.isOpen(suspension_id)) close(entity, record ?? giveUp(entity), attempt);
  });
  if (entity.intent.status === status) entity.journal.flush();
}

function close(entity: IntentEntity, record: SettledRecord, attempt: number): void {
  const at = toInstant(now());
  const { intent, active } = entity;
  const change = endSuspension(intent, record, attempt, at, active);
  entity.active = undefined;
  entity.commit(active?.agent ? keepSubmitted(slotOf(intent), record, change) : change);
}

/** Cancels the open question, whose id belongs to another suspension, on behalf of a principal. */
function loseQuestion(entity: IntentEntity, suspension_id: string, principal: string): void {
  if (!entity.isOpen(suspension_id)) return;
  const reason = 'suspension_id_taken';
  log.warn(reason, { suspension_id });
  const settlement = { resolution: 'cancelled', settled_by: 'intent', reason } as const;
  const settled_at = toInstant(now());
  close(entity, { ...openRecordOf(entity), ...settlement, settled_at, submitted_by: principal }, 1);
}

/** Ends a question that the store does not have: its workflow was gone before it was written. */
function giveUp(entity: IntentEntity): SettledRecord {
  const record = lostRecord(openRecordOf(entity), toInstant(now()));
  entity.journal.append(settledRow({ record }, LAST_REVISION));
  return record;
}

/** The record in the state, which an agent of the OpenIntent API writes in its own form. */
function openRecordOf({ intent }: IntentEntity): SuspensionRecord {
  const record = slotOf(intent) as unknown as SuspensionRecord;
  return { ...record, suspended_at: readInstant(record.suspended_at) ?? toInstant(now()) };
}

async function startSuspension(
  entity: IntentEntity,
  question: SuspensionInput,
  workflowIdReusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE',
): Promise<LiveView> {
  entity.opening = question.record.id;
  try {
    const log_key = entity.log.keyFor(question.record.id);
    const opened = await openQuestion({ ...question, log_key }, { workflowIdReusePolicy });
    entity.watch.follow(opened);
    return opened.view;
  } finally {
    entity.opening = undefined;
  }
}

/**
 * Starts the workflow of a question under an id from outside, on behalf of a principal. If another suspension has or
 * had the id, the question is withdrawn at once.
 */
export async function startChosen(
  entity: IntentEntity,
  question: SuspensionInput,
  principal: string,
): Promise<void> {
  // Readers after the write expect the opening and the events of asking together in the store.
  await entity.journal.together(async () => {
    try {
      await startSuspension(entity, question, 'REJECT_DUPLICATE');
      entity.journal.append(openingRow(question));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      loseQuestion(entity, question.record.id, principal);
    }
  });
}

/**
 * Ends a wait for a question that never came, at the deadline of a portfolio (R26-27). An open question has a
 * suspension, which gets the deadline itself.
 */
function expireWait(entity: IntentEntity, { deadline }: DueDeadline): void {
  if (entity.active) return;
  const at = toInstant(now());
  const change = abandonForDeadline(entity.intent, entity.waiting.since, deadline, at);
  if (change) entity.commit(change);
}
