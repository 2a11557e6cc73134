import type { PlanEscalation } from '../contracts/plan-escalation.js';
import type { SettledRecord, SuspensionDraft } from '../contracts/suspension.js';
import { failPlan, withEscalation } from './plan-failure.js';
import {
  evolvePlan,
  goesOn,
  planEvent,
  planThen,
  planUnchanged,
  type PlanChange,
  type PlanState,
} from './plan-state.js';
import { follow, isPlanOver } from './plan.js';

const CHOICES = [
  { value: 'retry', label: 'Try again', style: 'primary' as const },
  { value: 'skip', label: 'Go on without it', style: 'default' as const },
  { value: 'fail', label: 'Give up the plan', style: 'danger' as const },
];

/**
 * The question what becomes of a task that failed. It waits for ever: only a person decides. A task whose
 * intent was abandoned cannot be tried again.
 */
export function failureQuestion(
  { plan, members }: PlanState,
  { task_id, attempt, error }: PlanEscalation,
): SuspensionDraft {
  const task = members.find((one) => one.task_id === task_id);
  const isFinal = task?.news?.final === true;
  return {
    question: `${task?.name ?? task_id} failed. What next?`,
    response_type: 'choice',
    choices: CHOICES.filter(({ value }) => value !== 'retry' || !isFinal),
    context: { plan_id: plan.id, task_id, attempt, error },
    fallback_policy: 'fail',
  };
}

/** The question is open. */
export function failureAsked(
  state: PlanState,
  taskId: string,
  suspension_id: string,
  at: string,
): PlanChange {
  return evolvePlan(state, at, {
    escalations: withEscalation(state.plan, taskId, { suspension_id }),
  });
}

/**
 * The question is settled: `retry` tries the task again, on top of its own attempts (R26-79); `skip` goes on
 * without it; `fail` ends the plan. A question that was withdrawn decides nothing: the plan stays paused.
 */
export function failureSettled(state: PlanState, record: SettledRecord, at: string): PlanChange {
  const { plan } = state;
  const open = plan.escalations.find(
    ({ suspension_id, status }) => suspension_id === record.id && status === 'open',
  );
  if (open === undefined || isPlanOver(plan.state)) return planUnchanged(state);
  const { task_id, error, attempt } = open;
  const decided_by = record.responded_by ?? null;
  if (record.resolution !== 'responded' || decided_by === null) {
    const escalations = withEscalation(plan, task_id, { status: 'withdrawn' });
    return evolvePlan(state, at, { escalations });
  }
  const decision = decisionOf(record);
  const escalations = withEscalation(plan, task_id, { status: 'decided', decision, decided_by });
  if (decision === 'fail') {
    return failPlan(state, at, { failed_task_id: task_id, error }, { escalations });
  }
  const change = resume(state, escalations, decided_by, decision, at);
  const duty =
    decision === 'retry'
      ? ({ kind: 'retry', task_id, attempt, granted: true } as const)
      : ({ kind: 'skip', task_id } as const);
  return planThen({ ...change, duties: [duty] }, (next) => follow(next, at));
}

function decisionOf({ response }: SettledRecord): NonNullable<PlanEscalation['decision']> {
  return response === 'retry' || response === 'skip' ? response : 'fail';
}

function resume(
  state: PlanState,
  escalations: readonly PlanEscalation[],
  by: string,
  decision: string,
  at: string,
): PlanChange {
  if (!goesOn(state, { escalations })) return evolvePlan(state, at, { escalations });
  const resumed = planEvent(state, 'plan.resumed', by, { reason: decision });
  return evolvePlan(state, at, { escalations, state: 'active' }, resumed);
}

/** A task that has ended cannot be told to skip: its plan goes on as if it were skipped. */
export function withoutTask(state: PlanState, taskId: string, at: string): PlanChange {
  const members = state.members.map((one) =>
    one.task_id === taskId && one.news !== null
      ? {
          ...one,
          news: { ...one.news, status: 'skipped' as const, revision: one.news.revision + 1 },
        }
      : one,
  );
  const without = planUnchanged({ ...state, members, revision: state.revision + 1 });
  return planThen(without, (next) => follow(next, at));
}
