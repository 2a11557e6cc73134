import { CLOCK_ACTOR } from './suspension-events.js';
import { timeoutOf } from './task-clock.js';
import { evolve, taskEvent, unchanged, type TaskChange, type TaskState } from './task-state.js';

/**
 * Fails a task whose agent has run for `timeout_seconds` (RFC-0012 §1.2). Only the agent's own time counts:
 * none while the task is blocked, for an operator or for anything else (R26-79).
 */
export function expireTask(state: TaskState, at: string): TaskChange {
  const { task, clock } = state;
  const due = timeoutOf(task, clock);
  if (due === undefined || at < due) return unchanged(state);
  const { attempt, max_attempts } = task;
  const payload = { error: 'timeout', attempt, will_retry: attempt < max_attempts };
  const event = taskEvent(state, 'task.failed', CLOCK_ACTOR, payload);
  return evolve(state, at, { status: 'failed', error: 'timeout' }, event);
}
