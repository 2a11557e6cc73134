import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { PlanEscalation } from '../../contracts/plan/plan.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { cutTo } from '../kernel/text.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import {
  evolvePlan,
  goesOn,
  planEvent,
  planUnchanged,
  type PlanChange,
  type PlanRecord,
  type PlanState,
} from './state.js';

/**
 * Handles a failed task by `on_failure`: `notify` does nothing, `retry` tries again while attempts remain, and
 * `pause_and_escalate` pauses the plan and asks an operator. Otherwise the plan fails.
 */
export function onFailure(state: PlanState, news: TaskNews, at: string): PlanChange {
  const { on_failure } = state.plan;
  const { task_id, attempt, max_attempts, error, final } = news;
  if (on_failure === 'notify') return planUnchanged(state);
  if (on_failure === 'retry' && attempt < max_attempts && final !== true) {
    const retry = { kind: 'retry', task_id, attempt, granted: false } as const;
    return { ...planUnchanged(state), duties: [retry] };
  }
  return on_failure === 'pause_and_escalate'
    ? escalate(state, news, at)
    : failPlan(state, at, { failed_task_id: task_id, error });
}

export function failPlan(
  state: PlanState,
  at: string,
  cause: { readonly failed_task_id: string; readonly error: string | null },
  fields: Partial<PlanRecord> = {},
): PlanChange {
  const failed = planEvent(state, 'plan.failed', CLOCK_ACTOR, { ...cause });
  return evolvePlan(state, at, { ...fields, state: 'failed' }, failed);
}

function escalate(state: PlanState, { task_id, attempt, error }: TaskNews, at: string): PlanChange {
  const open: PlanEscalation = {
    task_id,
    attempt,
    error: error && cutTo(error, WORKFLOW_LIMITS.keptErrorBytes),
    status: 'open',
    suspension_id: null,
    decision: null,
    decided_by: null,
  };
  const escalations = [...state.plan.escalations.filter((one) => one.task_id !== task_id), open];
  const payload = { reason: 'task_failed', failed_task_id: task_id, error };
  const paused = planEvent(state, 'plan.paused', CLOCK_ACTOR, payload);
  const events = state.plan.state === 'active' ? [paused] : [];
  const change = evolvePlan(state, at, { escalations, state: 'paused' }, ...events);
  return { ...change, duties: [{ kind: 'ask_decision', task_id }] };
}

/** Withdraws the question about a failed task once it is moot: the task continues, was cancelled, or failed again. */
export function withdrawMoot(
  state: PlanState,
  news: TaskNews,
  isFailure: boolean,
  at: string,
): PlanChange {
  const { plan } = state;
  const moot = plan.escalations.find(
    ({ task_id, status }) =>
      task_id === news.task_id && status === 'open' && (news.status !== 'failed' || isFailure),
  );
  if (moot === undefined) return planUnchanged(state);
  const escalations = withEscalation(plan, moot.task_id, { status: 'withdrawn' });
  const resumed = planEvent(state, 'plan.resumed', CLOCK_ACTOR, { reason: 'decided_otherwise' });
  const change = goesOn(state, { escalations })
    ? evolvePlan(state, at, { escalations, state: 'active' }, resumed)
    : evolvePlan(state, at, { escalations });
  return { ...change, duties: withdrawalOf(moot) };
}

/** Withdraws all questions about failed tasks. The tasks stay failed, because somebody resumed the plan by hand. */
export function withdrawAll(state: PlanState, at: string): PlanChange {
  const open = state.plan.escalations.filter(({ status }) => status === 'open');
  if (open.length === 0) return planUnchanged(state);
  const escalations = state.plan.escalations.map((one) =>
    one.status === 'open' ? { ...one, status: 'withdrawn' as const } : one,
  );
  return { ...evolvePlan(state, at, { escalations }), duties: open.flatMap(withdrawalOf) };
}

function withdrawalOf({ suspension_id }: PlanEscalation): PlanChange['duties'] {
  return suspension_id === null ? [] : [{ kind: 'withdraw', suspension_id }];
}

export function withEscalation(
  { escalations }: PlanRecord,
  taskId: string,
  fields: Partial<PlanEscalation>,
): readonly PlanEscalation[] {
  return escalations.map((one) => (one.task_id === taskId ? { ...one, ...fields } : one));
}
