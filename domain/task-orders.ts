import { CLOCK_ACTOR } from './suspension-events.js';
import { blockAgain, isTaskDone } from './task-mirror.js';
import {
  andThen,
  evolve,
  isTaskOver,
  taskEvent,
  unchanged,
  type TaskChange,
  type TaskState,
} from './task-state.js';

/** What a plan orders one of its tasks to do. */
export type TaskOrder =
  /** A task that failed is gone on without. */
  { readonly kind: 'skip' } | { readonly kind: 'cancel'; readonly reason: string };

const CLOSED = { waiting_claim: null, blocked_reason: null, suspended_intent_id: null } as const;

/** Carries out what the plan ordered; a task that is over already, or has gone on, stays what it is. */
export function obey(state: TaskState, order: TaskOrder, at: string): TaskChange {
  const { status } = state.task;
  if (order.kind === 'skip') return status === 'failed' ? skip(state, at) : unchanged(state);
  if (isTaskOver(status) || status === 'failed') return unchanged(state);
  const { reason } = order;
  const event = taskEvent(state, 'task.cancelled', CLOCK_ACTOR, { reason });
  const fields = { ...CLOSED, status: 'cancelled', error: reason } as const;
  return evolve({ ...state, before: null }, at, fields, event);
}

function skip(state: TaskState, at: string): TaskChange {
  const payload = { condition_id: null, reason: 'task_failed' };
  const event = taskEvent(state, 'task.skipped', CLOCK_ACTOR, payload);
  return evolve(state, at, { ...CLOSED, status: 'skipped', completed_at: at }, event);
}

/**
 * Tries a failed task again, where its plan says so and this attempt was not tried again before; one that an
 * operator granted comes on top of the task's own attempts (R26-79). While its intent waits for an operator
 * it is blocked at once (RFC-0026 Rule 3); once that is abandoned the failure is final (AM-37).
 */
export function retryTask(
  state: TaskState,
  failed: number,
  at: string,
  granted = false,
): TaskChange {
  const { task } = state;
  const max_attempts = granted ? task.max_attempts + 1 : task.max_attempts;
  const isDue = task.status === 'failed' && task.attempt === failed && !isTaskDone(state);
  if (!isDue || failed >= max_attempts) return unchanged(state);
  const attempt = failed + 1;
  const event = taskEvent(state, 'task.retrying', CLOCK_ACTOR, { attempt, next_attempt_at: null });
  const anew = { status: 'ready', assigned_agent: null, error: null } as const;
  const ready = evolve(state, at, { ...anew, attempt, max_attempts }, event);
  return andThen(ready, (next) => blockAgain(next, at));
}
