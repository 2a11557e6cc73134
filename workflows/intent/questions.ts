import { condition, log } from '@temporalio/workflow';
import type { WorkflowIdReusePolicy } from '@temporalio/workflow';
import { LIMITS, WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { DueDeadline } from '../../contracts/portfolio.js';
import type { Refusal } from '../../contracts/problem.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { slotOf } from '../../domain/intent/state-patch.js';
import {
  abandonForDeadline,
  beginSuspension,
  checkSuspendable,
  endSuspension,
} from '../../domain/intent/suspension.js';
import { readInstant, toInstant } from '../../domain/kernel/time.js';
import { keepSubmitted } from '../../domain/openintent/ask.js';
import { attemptEvents } from '../../domain/suspension/events.js';
import { isReport } from '../../domain/suspension/message-form.js';
import { isDeadline } from '../../domain/suspension/state.js';
import { now, reach } from '../engine/clock.js';
import { demand, failureOf, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { expireNowSignal, suspensionReportSignal, withdrawSignal } from '../suspension/messages.js';
import type { SuspensionInput, SuspensionReport } from '../suspension/messages.js';
import { newQuestion, openQuestion } from '../suspension/opening.js';
import { openingRow } from '../suspension/rows.js';
import type { UsedRequestKey } from './carried.js';
import type { IntentEntity } from './entity.js';
import { suspendUpdate } from './messages.js';
import type { SetStatusInput, SuspendInput, SuspendReceipt } from './messages.js';

/** Opens questions, takes in their reports, and withdraws them when the intent is abandoned. */
export function registerQuestions(entity: IntentEntity): void {
  onWrite(
    entity,
    suspendUpdate,
    (input) => {
      if (knownRequest(entity, input)) return;
      demand(checkSuspendable(entity.intent, input.draft, LIMITS.intentStateBytes));
    },
    uncancelled((input) => suspend(entity, input)),
  );
  onSignal(suspensionReportSignal, isReport, (report) => {
    takeReport(entity, report);
  });
  onSignal(expireNowSignal, isDeadline, (message) => {
    expireWait(entity, message);
  });
}

/** The suspension a request_key opened before; refuses the key for another question. */
function knownRequest(entity: IntentEntity, { request }: SuspendInput): UsedRequestKey | undefined {
  const known = request && entity.requestKeys.find(({ key }) => key === request.key);
  if (known && known.body_hash !== request.body_hash) {
    const refusal: Refusal = {
      code: 'request_key_reused',
      detail: 'This request_key opened another question.',
      field: 'request_key',
      accepted: 'the question of the first request, or a new key',
    };
    throw failureOf(refusal);
  }
  return known;
}

async function suspend(entity: IntentEntity, input: SuspendInput): Promise<SuspendReceipt> {
  const known = knownRequest(entity, input);
  if (known) {
    await condition(() => entity.opening !== known.suspension_id);
    return { suspension_id: known.suspension_id, reattached: true };
  }
  const suspension = ask(entity, input);
  const { id } = suspension.record;
  if (input.request) {
    const { key, body_hash } = input.request;
    const used = { key, body_hash, suspension_id: id };
    entity.requestKeys = [...entity.requestKeys, used].slice(-WORKFLOW_LIMITS.keptRequestKeys);
  }
  const view = await startSuspension(entity, suspension);
  return { suspension_id: id, reattached: false, view };
}

/** Puts the intent into its suspended state; what opens the suspension is returned. */
function ask(entity: IntentEntity, { actor, draft }: SuspendInput): SuspensionInput {
  const question = newQuestion(draft, askerOf(entity, actor));
  const { record, schedule } = question;
  const rows = entity.commit(beginSuspension(entity.intent, record, schedule, actor));
  noteQuestion(entity, question, rows);
  return question;
}

/** An intent that waits for its question, on behalf of a principal. */
export function askerOf({ intent: { id } }: IntentEntity, asked_by: string) {
  const subject_workflow_id = workflowIdOf('intent', id);
  return { intent_id: id, asked_by, subject_workflow_id, opening_journalled: true };
}

/** Takes note of the question that the intent waits for from now on; `rows` are the events of asking it. */
export function noteQuestion(
  entity: IntentEntity,
  question: SuspensionInput,
  rows: readonly IntentEvent[],
  agent?: string,
): void {
  const { record } = question;
  entity.recorded.turnTo(record.id);
  entity.recorded.note(rows);
  entity.active = {
    suspension_id: record.id,
    report_sequence: 0,
    ...(agent !== undefined && { agent }),
  };
  entity.waiting.asked(record);
  entity.journal.append(openingRow(question));
}

/** Reports of another suspension, or ones that were taken in before, change nothing. */
function takeReport(entity: IntentEntity, report: SuspensionReport): void {
  if (entity.isOpen(report.suspension_id)) {
    reach(report.kind === 'settled' ? report.record.settled_at : report.attempt.at);
  }
  entity.settleDue();
  if (report.kind === 'settled') entity.journal.append(...(report.rows ?? []));
  const { active } = entity;
  if (active?.suspension_id !== report.suspension_id) return;
  if (report.report_sequence <= active.report_sequence) return;
  entity.active = { ...active, report_sequence: report.report_sequence };
  if (report.kind === 'settled') close(entity, report.record, report.attempt);
  else {
    const { attempt, max_attempts, skipped } = report;
    const { suspension_id: id, agent } = active;
    entity.recordUnlessPosted(attemptEvents(id, attempt, max_attempts, skipped, agent));
    entity.waiting.reached(attempt.attempt);
    entity.announcer.changed();
  }
}

function close(entity: IntentEntity, record: SettledRecord, attempt: number): void {
  const at = toInstant(now());
  const { intent, active } = entity;
  const change = endSuspension(intent, record, attempt, at, active?.abandoning);
  entity.active = undefined;
  entity.commit(active?.agent ? keepSubmitted(slotOf(intent), record, change) : change);
}

/**
 * Asks the suspension to withdraw its question; its report then abandons the intent (or finds that an
 * answer came first, which counts, and abandons it after that). A suspension that no longer exists cannot
 * report, so the intent settles for it.
 */
export async function abandonSuspended(
  entity: IntentEntity,
  { actor, reason }: Pick<SetStatusInput, 'actor' | 'reason'>,
): Promise<void> {
  if (!entity.active || entity.active.abandoning) return;
  const abandoning = { actor, ...(reason !== undefined && { reason }) };
  entity.active = { ...entity.active, abandoning };
  const { suspension_id } = entity.active;
  await condition(() => entity.opening !== suspension_id);
  const cancel = {
    intent_id: entity.intent.id,
    cancelled_by: actor,
    settled_by: 'intent',
    reason: 'intent_abandoned',
  } as const;
  const taken = await trySignal(workflowIdOf('suspension', suspension_id), withdrawSignal, cancel);
  if (!taken) loseQuestion(entity, suspension_id, actor, 'suspension_lost');
}

/** Settles a question that no workflow stands for, on behalf of `actor`; not where it is settled. */
export function loseQuestion(
  entity: IntentEntity,
  suspension_id: string,
  actor: string,
  reason: string,
): void {
  if (!entity.isOpen(suspension_id)) return;
  log.warn(reason, { suspension_id });
  const record = entity.intent.state['_suspension'] as unknown as SettledRecord;
  const settled_at = toInstant(now());
  const suspended_at = readInstant(record.suspended_at) ?? settled_at;
  const settlement = { resolution: 'cancelled', settled_by: 'intent', settled_at, reason } as const;
  close(entity, { ...record, suspended_at, ...settlement, submitted_by: actor }, 1);
}

/** Starts the workflow of a question; returns how it is read at first. */
export async function startSuspension(
  entity: IntentEntity,
  question: SuspensionInput,
  workflowIdReusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE',
): Promise<SuspensionView> {
  entity.opening = question.record.id;
  try {
    const { view } = await openQuestion(question, { workflowIdReusePolicy });
    return view;
  } finally {
    entity.opening = undefined;
  }
}

/**
 * Lets the deadline of a portfolio end a wait for a question that never came (R26-27). An open question has
 * a suspension, which gets the deadline itself.
 */
function expireWait(entity: IntentEntity, { deadline }: DueDeadline): void {
  if (entity.active) return;
  const at = toInstant(now());
  const change = abandonForDeadline(entity.intent, entity.waiting.since, deadline, at);
  if (change) entity.commit(change);
}
