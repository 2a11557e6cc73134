import type { Checkpoint, PlanEscalation } from '../../contracts/plan/plan.js';
import type { SettledRecord, SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { CLOCK_ACTOR, votesIn } from '../suspension/record/events.js';
import { fallbackOf } from '../suspension/answering/response.js';
import { APPROVAL_CHOICES, APPROVE, checkpointRule } from './checkpoints.js';
import { failPlan, withEscalation } from './failure.js';
import { follow, isPlanOver, withCheckpoint } from './plan.js';
import {
  evolvePlan,
  goesOn,
  planEvent,
  planThen,
  planUnchanged,
  questionAsked,
  type PlanChange,
  type PlanState,
} from './state.js';
import { defined } from '../../contracts/constants/defined.js';

const HOUR_SECONDS = 3_600;

/**
 * Returns the question of a checkpoint (R26-16). It expires after `timeout_hours`: then `fail` rejects,
 * `auto_approve` approves, and `escalate` sends one reminder and rejects after the same time again.
 */
export function checkpointQuestion(
  { plan, members }: PlanState,
  checkpoint: Checkpoint,
): SuspensionDraft {
  const { id, name, after_task, approvers, timeout_hours, on_timeout, denials } = checkpoint;
  const task = members.find(({ task_id }) => task_id === after_task)?.name ?? after_task;
  const seconds = timeout_hours === null ? undefined : Math.ceil(timeout_hours * HOUR_SECONDS);
  const approves = on_timeout === 'auto_approve';
  const rule = checkpointRule(checkpoint);
  const fallback_policy = approves ? 'complete_with_fallback' : 'fail';
  return {
    question: `Go on after ${task}? (${name ?? 'checkpoint'})`,
    response_type: 'choice',
    choices: APPROVAL_CHOICES,
    ...(denials && { denials: [...denials] }),
    context: {
      plan_id: plan.id,
      checkpoint_id: id,
      task_id: after_task,
      approvers: [...approvers],
    },
    ...defined({ timeout_seconds: seconds }),
    ...(rule.ok && rule.value && { decision_rule: rule.value }),
    fallback_policy,
    ...(approves && { fallback_value: APPROVE }),
    ...(seconds !== undefined &&
      on_timeout === 'escalate' && {
        retry_policy: {
          max_attempts: 2,
          interval_seconds: seconds,
          strategy: 'fixed',
          escalation_ladder: [],
          final_fallback_policy: 'fail',
        },
      }),
  };
}

export function checkpointAsked(state: PlanState, id: string, suspension_id: string): PlanChange {
  const checkpoints = withCheckpoint(state.plan, id, { suspension_id });
  return questionAsked(state, suspension_id, { checkpoints });
}

/** Applies the answer for a checkpoint: an approval resumes the plan, a rejection fails it. */
export function checkpointSettled(state: PlanState, record: SettledRecord, at: string): PlanChange {
  const checkpoint = state.plan.checkpoints.find(
    ({ suspension_id, status }) => suspension_id === record.id && status === 'reached',
  );
  if (checkpoint === undefined || isPlanOver(state.plan.state)) return planUnchanged(state);
  const { id } = checkpoint;
  const by = record.responded_by ?? CLOCK_ACTOR;
  return isApproval(record)
    ? approve(state, id, by, record, at)
    : reject(state, id, by, record, at);
}

function isApproval(record: SettledRecord): boolean {
  if (record.resolution === 'responded') return record.response === APPROVE;
  return record.resolution === 'expired' && fallbackOf(record).value === APPROVE;
}

function approve(
  state: PlanState,
  id: string,
  by: string,
  record: SettledRecord,
  at: string,
): PlanChange {
  const checkpoints = withCheckpoint(state.plan, id, { status: 'approved', decided_by: by });
  const payload = { checkpoint_id: id, approved_by: by, ...votesIn(record) };
  const approved = planEvent(state, 'plan.checkpoint_approved', by, payload);
  const resumed = planEvent(state, 'plan.resumed', by);
  const change = goesOn(state, { checkpoints })
    ? evolvePlan(state, at, { checkpoints, state: 'active' }, approved, resumed)
    : evolvePlan(state, at, { checkpoints }, approved);
  return planThen(change, (next) => follow(next, at));
}

function reject(
  state: PlanState,
  id: string,
  by: string,
  record: SettledRecord,
  at: string,
): PlanChange {
  const { resolution, reason } = record;
  const checkpoints = withCheckpoint(state.plan, id, { status: 'rejected', decided_by: by });
  const why = reason ?? (resolution === 'responded' ? 'rejected' : resolution);
  const rejected = planEvent(state, 'plan.checkpoint_rejected', by, {
    checkpoint_id: id,
    rejected_by: by,
    reason: why,
    ...votesIn(record),
  });
  const failed = planEvent(state, 'plan.failed', CLOCK_ACTOR, {
    failed_task_id: null,
    error: 'checkpoint_rejected',
  });
  return evolvePlan(state, at, { checkpoints, state: 'failed' }, rejected, failed);
}

const FAILURE_CHOICES = [
  { value: 'retry', label: 'Try again', style: 'primary' as const },
  { value: 'skip', label: 'Go on without it', style: 'default' as const },
  { value: 'fail', label: 'Give up the plan', style: 'danger' as const },
];

/**
 * Returns the question about a failed task. It never expires, because only a person can decide. A task whose intent
 * was abandoned cannot be retried.
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
    choices: FAILURE_CHOICES.filter(({ value }) => value !== 'retry' || !isFinal),
    context: { plan_id: plan.id, task_id, attempt, error },
    fallback_policy: 'fail',
  };
}

export function failureAsked(state: PlanState, taskId: string, suspension_id: string): PlanChange {
  const escalations = withEscalation(state.plan, taskId, { suspension_id });
  return questionAsked(state, suspension_id, { escalations });
}

/**
 * Applies the answer about a failed task: `retry` grants an attempt (R26-79), `skip` continues without the task, and
 * `fail` fails the plan. After a withdrawn question the plan stays paused.
 */
export function failureSettled(state: PlanState, record: SettledRecord, at: string): PlanChange {
  const { plan } = state;
  const open = plan.escalations.find(
    ({ suspension_id, status }) => suspension_id === record.id && status === 'open',
  );
  if (open === undefined || isPlanOver(plan.state)) return planUnchanged(state);
  const { task_id, error, attempt } = open;
  const { responded_by: decided_by } = record;
  if (decided_by === undefined) {
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

/** Treats an ended task as skipped, because its workflow has ended and cannot receive the order to skip. */
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
