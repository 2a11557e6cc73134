import { CancellationScope, condition, log, setHandler, uuid4 } from '@temporalio/workflow';
import { LIMITS, WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SettledRecord, SuspensionDraft } from '../../contracts/suspension.js';
import type { Refusal } from '../../contracts/refusal.js';
import {
  beginSuspension,
  checkSuspendable,
  endSuspension,
} from '../../domain/intent-suspension.js';
import { attemptEvents } from '../../domain/suspension-events.js';
import { isReport } from '../../domain/intent-report.js';
import { openRecord } from '../../domain/schedule.js';
import { slotOf } from '../../domain/state-patch.js';
import { readInstant, toInstant } from '../../domain/time.js';
import { demand, failureOf, refuseMoving } from '../support/refusals.js';
import { trySignal } from '../support/reporter.js';
import { withdrawSignal, type SuspensionInput } from '../suspension/messages.js';
import { keepingGiven } from '../../domain/two-call-suspension.js';
import { openingRow } from '../suspension/rows.js';
import type { IntentEntity } from './entity.js';
import {
  suspendUpdate,
  suspensionReportSignal,
  type SetStatusInput,
  type SuspendInput,
  type SuspendReceipt,
  type SuspensionReport,
  type UsedRequestKey,
} from './messages.js';
import { now, reach } from '../support/clock.js';
import { startSuspension } from './starting.js';
import { tellEvents } from './told-events.js';

/** Opens questions, takes in their reports, and withdraws them when the intent is abandoned. */
export function registerSuspending(entity: IntentEntity): void {
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
  entity.told.turnTo(record.id);
  entity.told.note(rows);
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
    tellEvents(entity, attemptEvents(id, attempt, max_attempts, skipped, agent));
    entity.waiting.reached(attempt.attempt);
    entity.announcer.changed();
  }
}

function close(entity: IntentEntity, record: SettledRecord, attempt: number): void {
  const at = toInstant(now());
  const { intent, active } = entity;
  const change = endSuspension(intent, record, attempt, at, active?.abandoning);
  entity.active = undefined;
  entity.commit(active?.agent ? keepingGiven(slotOf(intent), record, change) : change);
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
