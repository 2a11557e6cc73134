import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
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
import { onSignal } from '../engine/handlers.js';
import { signalEach } from '../engine/sender.js';
import { inputReportSignal, withdrawSignal } from '../suspension/messages.js';
import { newQuestion, openQuestion } from '../suspension/opening.js';
import type { PlanEntity } from './entity.js';

/** Takes in how the questions of the plan end. */
export function registerQuestions(entity: PlanEntity): void {
  onSignal(inputReportSignal, isReport, (report) => {
    if (report.kind !== 'settled') return;
    const { at } = entity;
    entity.apply((state) =>
      planThen(checkpointSettled(state, report.record, at), (next) =>
        failureSettled(next, report.record, at),
      ),
    );
  });
}

/** Opens the question of a checkpoint (R26-16). */
export async function askApproval(entity: PlanEntity, id: string): Promise<void> {
  const { state, at } = entity;
  const checkpoint = state.plan.checkpoints.find((one) => one.id === id);
  if (checkpoint?.status !== 'reached' || entity.closed) return;
  await open(entity, checkpointQuestion(state, checkpoint), (suspensionId) => {
    entity.apply((known) => checkpointAsked(known, id, suspensionId, at));
  });
}

/** Opens the question what becomes of a task that failed. */
export async function askDecision(entity: PlanEntity, taskId: string): Promise<void> {
  const { state, at } = entity;
  const escalation = state.plan.escalations.find(({ task_id }) => task_id === taskId);
  const isDue = escalation?.status === 'open' && escalation.suspension_id === null;
  if (!isDue || entity.closed) return;
  await open(entity, failureQuestion(state, escalation), (suspensionId) => {
    entity.apply((known) => failureAsked(known, taskId, suspensionId, at));
  });
}

/**
 * A suspension like any other, whose subject is the plan. The plan's intent goes on, and may wait for a
 * question of its own.
 */
async function open(
  { state }: PlanEntity,
  draft: SuspensionDraft,
  asked: (suspensionId: string) => void,
): Promise<void> {
  const question = newQuestion(draft, {
    intent_id: null,
    subject_workflow_id: workflowIdOf('plan', state.plan.id),
    asked_by: state.plan.created_by,
  });
  asked(question.record.id);
  await openQuestion(question);
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
  const workflowIds = suspensionIds.map((id) => workflowIdOf('suspension', id));
  await signalEach(workflowIds, withdrawSignal, withdrawal);
}

/** The same for all that is still asked when the plan is over. */
export async function withdrawQuestions(entity: PlanEntity): Promise<void> {
  await withdraw(entity, 'plan_over', ...openQuestions(entity.state.plan));
}
