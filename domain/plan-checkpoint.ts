import type { Checkpoint } from '../contracts/plan.js';
import type { SettledRecord, SuspensionDraft } from '../contracts/suspension.js';
import { fallbackOf } from './fallback.js';
import { CLOCK_ACTOR } from './suspension-events.js';
import { follow, isPlanOver, withCheckpoint } from './plan.js';
import {
  evolvePlan,
  goesOn,
  planEvent,
  planThen,
  planUnchanged,
  type PlanChange,
  type PlanState,
} from './plan-state.js';

const APPROVE = 'approve';
const REJECT = 'reject';
const CHOICES = [
  { value: APPROVE, label: 'Approve', style: 'primary' as const },
  { value: REJECT, label: 'Reject', style: 'danger' as const },
];
const HOUR_SECONDS = 3_600;

/**
 * The question of a checkpoint (R26-16). Without `timeout_hours` it waits for ever; after them `fail`
 * rejects, `auto_approve` approves, and `escalate` reminds once and rejects after the same time again.
 */
export function checkpointQuestion(
  { plan, members }: PlanState,
  checkpoint: Checkpoint,
): SuspensionDraft {
  const { id, name, after_task, approvers, timeout_hours, on_timeout } = checkpoint;
  const task = members.find(({ task_id }) => task_id === after_task)?.name ?? after_task;
  const seconds = timeout_hours === null ? undefined : Math.ceil(timeout_hours * HOUR_SECONDS);
  const approves = on_timeout === 'auto_approve';
  const fallback_policy = approves ? 'complete_with_fallback' : 'fail';
  return {
    question: `Go on after ${task}? (${name ?? 'checkpoint'})`,
    response_type: 'choice',
    choices: CHOICES,
    context: {
      plan_id: plan.id,
      checkpoint_id: id,
      task_id: after_task,
      approvers: [...approvers],
    },
    ...(seconds !== undefined && { timeout_seconds: seconds }),
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

/** The question of a checkpoint is open. */
export function checkpointAsked(
  state: PlanState,
  id: string,
  suspension_id: string,
  at: string,
): PlanChange {
  const checkpoints = withCheckpoint(state.plan, id, { suspension_id });
  return evolvePlan(state, at, { checkpoints });
}

/**
 * The question is settled: an approval lets the plan go on, a rejection fails it. Where only certain people
 * may approve and somebody else answered, it is asked again.
 */
export function checkpointSettled(state: PlanState, record: SettledRecord, at: string): PlanChange {
  const checkpoint = state.plan.checkpoints.find(
    ({ suspension_id, status }) => suspension_id === record.id && status === 'reached',
  );
  if (checkpoint === undefined || isPlanOver(state.plan.state)) return planUnchanged(state);
  const { id, approvers } = checkpoint;
  const by = record.responded_by ?? CLOCK_ACTOR;
  const isDesignated = approvers.length === 0 || approvers.includes(by);
  if (record.resolution === 'responded' && !isDesignated) {
    return { ...planUnchanged(state), duties: [{ kind: 'ask_approval', checkpoint_id: id }] };
  }
  return isApproval(record) ? approve(state, id, by, at) : reject(state, id, by, record, at);
}

function isApproval(record: SettledRecord): boolean {
  if (record.resolution === 'responded') return record.response === APPROVE;
  return record.resolution === 'expired' && fallbackOf(record).value === APPROVE;
}

function approve(state: PlanState, id: string, by: string, at: string): PlanChange {
  const checkpoints = withCheckpoint(state.plan, id, { status: 'approved', decided_by: by });
  const payload = { checkpoint_id: id, approved_by: by };
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
  { resolution, reason }: SettledRecord,
  at: string,
): PlanChange {
  const checkpoints = withCheckpoint(state.plan, id, { status: 'rejected', decided_by: by });
  const why = reason ?? (resolution === 'responded' ? 'rejected' : resolution);
  const rejected = planEvent(state, 'plan.checkpoint_rejected', by, {
    ...{ checkpoint_id: id, rejected_by: by, reason: why },
  });
  const failed = planEvent(state, 'plan.failed', CLOCK_ACTOR, {
    ...{ failed_task_id: null, error: 'checkpoint_rejected' },
  });
  return evolvePlan(state, at, { checkpoints, state: 'failed' }, rejected, failed);
}
