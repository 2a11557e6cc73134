import {
  CancellationScope,
  ParentClosePolicy,
  condition,
  log,
  setHandler,
  startChild,
  uuid4,
} from '@temporalio/workflow';
import type { WorkflowIdReusePolicy } from '@temporalio/workflow';
import { LIMITS, WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { Refusal } from '../../contracts/problem.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionDraft } from '../../contracts/suspension.js';
import { slotOf } from '../../domain/intent/state-patch.js';
import {
  abandonForDeadline,
  beginSuspension,
  checkSuspendable,
  endSuspension,
} from '../../domain/intent/suspension.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { readInstant, toInstant } from '../../domain/kernel/time.js';
import { keepSubmitted } from '../../domain/openintent/ask.js';
import { attemptEvents } from '../../domain/suspension/events.js';
import { isReport } from '../../domain/suspension/message-form.js';
import { openRecord } from '../../domain/suspension/schedule.js';
import { isDeadline } from '../../domain/suspension/state.js';
import { viewOf } from '../../domain/suspension/view.js';
import { now, reach } from '../engine/clock.js';
import { trySignal } from '../engine/outbox.js';
import { demand, failureOf, refuseMoving } from '../engine/refusals.js';
import { openingAttributes } from '../engine/search-attributes.js';
import { expireNowSignal, withdrawSignal } from '../suspension/messages.js';
import type { SuspensionInput } from '../suspension/messages.js';
import { openingRow } from '../suspension/rows.js';
import type { IntentEntity } from './entity.js';
import { suspendUpdate, suspensionReportSignal } from './messages.js';
import type {
  SetStatusInput,
  SuspendInput,
  SuspendReceipt,
  SuspensionReport,
  UsedRequestKey,
} from './messages.js';
import { recordUnlessPosted } from './recorded-events.js';

/** Opens questions, takes in their reports, and withdraws them when the intent is abandoned. */
export function registerQuestions(entity: IntentEntity): void {
  setHandler(
    suspendUpdate,
    (input) => CancellationScope.nonCancellable(() => suspend(entity, input)),
    {
      validator: (input: SuspendInput) => {
        refuseMoving(entity.takesNoWrites);
        if (!knownRequest(entity, input)) {
          demand(checkSuspendable(entity.intent, input.draft, LIMITS.intentStateBytes));
        }
      },
      description: 'Open a question',
    },
  );
  setHandler(suspensionReportSignal, (report) => {
    if (isReport(report)) takeReport(entity, report);
    else log.warn('report_malformed');
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
  entity.settleDueLeases(now());
  const suspension = openSuspension(entity, input.actor, input.draft);
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
function openSuspension(
  entity: IntentEntity,
  actor: string,
  draft: SuspensionDraft,
): SuspensionInput {
  const { record, schedule } = openRecord(draft, uuid4(), toInstant(now()));
  const rows = entity.commit(beginSuspension(entity.intent, record, schedule, actor));
  entity.recorded.turnTo(record.id);
  entity.recorded.note(rows);
  entity.active = { suspension_id: record.id, report_sequence: 0 };
  entity.waiting.asked(record);
  const opening = { intent_id: entity.intent.id, asked_by: actor, record, schedule };
  entity.journal.append(openingRow(opening));
  const subject_workflow_id = workflowIdOf('intent', entity.intent.id);
  return { ...opening, subject_workflow_id, opening_journalled: true };
}

/** Reports of another suspension, or ones that were taken in before, change nothing. */
function takeReport(entity: IntentEntity, report: SuspensionReport): void {
  if (entity.isOpen(report.suspension_id)) {
    reach(report.kind === 'settled' ? report.record.settled_at : report.attempt.at);
  }
  entity.settleDueLeases(now());
  if (report.kind === 'settled') entity.journal.append(...(report.rows ?? []));
  const { active } = entity;
  if (active?.suspension_id !== report.suspension_id) return;
  if (report.report_sequence <= active.report_sequence) return;
  entity.active = { ...active, report_sequence: report.report_sequence };
  if (report.kind === 'settled') close(entity, report.record, report.attempt);
  else {
    const { attempt, max_attempts, skipped } = report;
    const { suspension_id: id, agent } = active;
    recordUnlessPosted(entity, attemptEvents(id, attempt, max_attempts, skipped, agent));
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
  suspension: SuspensionInput,
  workflowIdReusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE',
): Promise<SuspensionView> {
  const { record, intent_id } = suspension;
  const view = viewOf({ intent_id, record, attempt: 1 }, suspension, []);
  entity.opening = record.id;
  try {
    await startChild(WORKFLOW_TYPES.suspension, {
      workflowId: workflowIdOf('suspension', record.id),
      workflowIdReusePolicy,
      args: [suspension],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: summaryOf(record.question),
      typedSearchAttributes: openingAttributes(view),
    });
  } finally {
    entity.opening = undefined;
  }
  return view;
}

/**
 * Lets the deadline of a portfolio end a wait for a question that never came (R26-27). An open question has
 * a suspension, which is told itself.
 */
export function registerDeadline(entity: IntentEntity): void {
  setHandler(expireNowSignal, (message) => {
    if (!isDeadline(message)) {
      log.warn('deadline_unreadable');
      return;
    }
    if (entity.active) return;
    const { intent, waiting } = entity;
    const at = toInstant(now());
    const change = abandonForDeadline(intent, waiting.since, message.deadline, at);
    if (change) entity.commit(change);
  });
}
