import { ParentClosePolicy, log, setHandler, startChild, uuid4 } from '@temporalio/workflow';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { summaryOf } from '../../domain/kernel/text.js';
import {
  checkpointAsked,
  checkpointQuestion,
  checkpointSettled,
  failureAsked,
  failureQuestion,
  failureSettled,
} from '../../domain/plan/questions.js';
import { openQuestions, planThen } from '../../domain/plan/state.js';
import { isReport } from '../../domain/suspension/message-form.js';
import { openRecord } from '../../domain/suspension/schedule.js';
import { viewOf } from '../../domain/suspension/view.js';
import { trySignal } from '../engine/outbox.js';
import { openingAttributes } from '../engine/search-attributes.js';
import { inputReportSignal, withdrawSignal } from '../suspension/messages.js';
import type { SuspensionInput } from '../suspension/messages.js';
import type { PlanEntity } from './entity.js';

/** Takes in how the questions of the plan end. */
export function registerQuestions(entity: PlanEntity): void {
  setHandler(inputReportSignal, (report) => {
    if (!isReport(report)) log.warn('report_malformed');
    else if (report.kind === 'settled') {
      const { at } = entity;
      entity.apply((state) =>
        planThen(checkpointSettled(state, report.record, at), (next) =>
          failureSettled(next, report.record, at),
        ),
      );
    }
  });
}

/** Opens the question of a checkpoint (R26-16). */
export async function askApproval(entity: PlanEntity, id: string): Promise<void> {
  const { state, at } = entity;
  const checkpoint = state.plan.checkpoints.find((one) => one.id === id);
  if (checkpoint?.status !== 'reached' || entity.over) return;
  await open(entity, checkpointQuestion(state, checkpoint), (suspensionId) => {
    entity.apply((known) => checkpointAsked(known, id, suspensionId, at));
  });
}

/** Opens the question what becomes of a task that failed. */
export async function askDecision(entity: PlanEntity, taskId: string): Promise<void> {
  const { state, at } = entity;
  const escalation = state.plan.escalations.find(({ task_id }) => task_id === taskId);
  const isDue = escalation?.status === 'open' && escalation.suspension_id === null;
  if (!isDue || entity.over) return;
  await open(entity, failureQuestion(state, escalation), (suspensionId) => {
    entity.apply((known) => failureAsked(known, taskId, suspensionId, at));
  });
}

/**
 * A suspension like any other, whose subject is the plan. The plan's intent goes on, and may wait for a
 * question of its own.
 */
async function open(
  { state, at }: PlanEntity,
  draft: SuspensionDraft,
  asked: (suspensionId: string) => void,
): Promise<void> {
  const opened = openRecord(draft, uuid4(), at);
  const { record } = opened;
  const input: SuspensionInput = {
    ...opened,
    intent_id: null,
    subject_workflow_id: workflowIdOf('plan', state.plan.id),
    asked_by: state.plan.created_by,
  };
  asked(record.id);
  await startChild(WORKFLOW_TYPES.suspension, {
    workflowId: workflowIdOf('suspension', record.id),
    args: [input],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: openingAttributes(
      viewOf({ intent_id: null, record, attempt: 1 }, input, []),
    ),
  });
}

/** Withdraws questions that need no answer any more. */
export async function withdraw(
  { state }: PlanEntity,
  reason: string,
  ...suspensionIds: readonly string[]
): Promise<void> {
  const withdrawal = {
    intent_id: null,
    cancelled_by: state.plan.created_by,
    settled_by: 'agent' as const,
    reason,
  };
  await Promise.all(
    suspensionIds.map((id) =>
      trySignal(workflowIdOf('suspension', id), withdrawSignal, withdrawal),
    ),
  );
}

/** The same for all that is still asked when the plan is over. */
export async function withdrawQuestions(entity: PlanEntity): Promise<void> {
  await withdraw(entity, 'plan_over', ...openQuestions(entity.state.plan));
}
