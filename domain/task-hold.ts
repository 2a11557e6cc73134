import type { Task, TaskNews } from '../contracts/task.js';
import { CLOCK_ACTOR } from './suspension-events.js';
import { isSatisfied, phaseOf } from './task-claim.js';
import {
  evolve,
  taskEvent,
  unchanged,
  UPSTREAM_SUSPENDED,
  type TaskChange,
  type TaskState,
} from './task-state.js';

/**
 * Holds a task that is pending or ready for as long as a coordinator holds what is wired to a phase that one
 * of its inputs names, and that phase is not completed (R26-33, AM-40). Follows from what is known alone, so
 * it comes to the same in whatever order that came. A task that an agent has already goes on (AM-43).
 */
export function followHolds(state: TaskState, at: string): TaskChange {
  const { task } = state;
  const upstream = heldFor(state);
  if (upstream && (task.status === 'pending' || task.status === 'ready')) {
    const reason = UPSTREAM_SUSPENDED;
    const { task_id: blocked_by, dependents_held_by: coordinator_id = null } = upstream;
    const payload = { reason, blocked_by, coordinator_id };
    const event = taskEvent(state, 'task.blocked', CLOCK_ACTOR, payload);
    return evolve(state, at, { status: 'blocked', blocked_reason: reason }, event);
  }
  if (upstream || !isHeldBack(state)) return unchanged(state);
  const event = taskEvent(state, 'task.unblocked', CLOCK_ACTOR, { resolution: null });
  return evolve(state, at, { status: 'pending', blocked_reason: null }, event);
}

/** Whether a task is blocked by nothing but a coordinator's hold. */
export function isHeldBack({ task, before }: Pick<TaskState, 'task' | 'before'>): boolean {
  const { status, blocked_reason } = task;
  return before === null && status === 'blocked' && blocked_reason === UPSTREAM_SUSPENDED;
}

function heldFor({ task, upstream }: TaskState): TaskNews | undefined {
  return upstream.find(
    ({ name, status, suspension, dependents_held_by }) =>
      dependents_held_by !== undefined &&
      isWired(task, name) &&
      (suspension !== null || !isSatisfied(status)),
  );
}

function isWired({ inputs }: Task, phase: string): boolean {
  return Object.values(inputs).some((ref) => !ref.startsWith('$') && phaseOf(ref) === phase);
}
