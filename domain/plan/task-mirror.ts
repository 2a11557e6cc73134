import type { Announcement } from '../../contracts/announcement.js';
import type { Resolution } from '../../contracts/suspension.js';
import type { Task, TaskNews } from '../../contracts/task.js';
import { isNewer, openQuestionOf } from '../graph/announcement.js';
import { isClosed } from '../intent/entity.js';
import { CLOCK_ACTOR } from '../suspension/events.js';
import { isSatisfied, phaseOf } from './task-claim.js';
import { validateOutput } from './task-output.js';
import {
  INTENT_SUSPENDED,
  UPSTREAM_SUSPENDED,
  creditWait,
  evolve,
  isIntentSuspended,
  isTaskOver,
  stopClock,
  suspensionOf,
  taskEvent,
  unchanged,
} from './task-state.js';
import type { TaskChange, TaskState } from './task-state.js';

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

/**
 * What a task makes of its intent (RFC-0026 Rule 3; AM-36, AM-37): suspended → blocked, going on → running
 * with its claim (or blocked as before, or still pending), completed → completed, abandoned → failed with
 * the reason. One way only, and the newest announcement alone counts, so repeats and reordering are harmless.
 */
export function mirrorIntent(state: TaskState, intent: Announcement, at: string): TaskChange {
  if (intent.intent_id !== state.task.intent_id) return unchanged(state);
  if (!isNewer(state.intent ?? undefined, intent)) return unchanged(state);
  const known = { ...state, intent, clock: clockAfter(state, intent) };
  const isVisible =
    JSON.stringify(suspensionOf(known)) !== JSON.stringify(suspensionOf(state)) ||
    intent.dependents_held_by !== state.intent?.dependents_held_by;
  const next = isVisible ? { ...known, revision: known.revision + 1 } : known;
  if (isTaskOver(state.task.status)) return unchanged(next);
  if (intent.status === 'completed') return complete(next, at);
  if (intent.status === 'abandoned') return abandon(next, intent, at);
  if (isIntentSuspended(next)) return block(next, at);
  return next.before === null ? unchanged(next) : unblock(next, outcomeOf(state, intent), at);
}

/** A question stops the clock when it is asked, however late the task hears of it (R26-79). */
function clockAfter({ clock, intent: last }: TaskState, intent: Announcement) {
  const { suspension } = intent;
  const open = openQuestionOf(intent);
  if (open) return stopClock(clock, open.suspended_at);
  const wasKnown = last?.suspension?.suspension_id === suspension?.suspension_id;
  const credited = suspension === null || wasKnown ? clock : creditWait(clock, suspension);
  const { suspended_since } = intent;
  return suspended_since === undefined ? credited : stopClock(credited, suspended_since);
}

/** How the question ended that the intent waited for; null where it waited for one that never came. */
function outcomeOf({ intent: last }: TaskState, { suspension }: Announcement): Resolution | null {
  if (suspension === null) return null;
  const { suspension_id, resolution } = suspension;
  const { suspension: known = null } = last ?? {};
  const wasSettled = known?.suspension_id === suspension_id && known.resolution !== null;
  return wasSettled ? null : resolution;
}

/** Whether nothing can happen any more: the workflow of the task may end. */
export function isTaskDone({ task, intent }: TaskState): boolean {
  if (intent === null || !isClosed(intent.status)) return false;
  return isTaskOver(task.status) || (task.status === 'failed' && intent.status === 'abandoned');
}

/** Blocks a task that is tried again while its intent waits for an operator. */
export function blockAgain(state: TaskState, at: string): TaskChange {
  return isIntentSuspended(state) ? block(state, at) : unchanged(state);
}

/** A task that failed stays so: it is not waiting for anybody. */
function block(state: TaskState, at: string): TaskChange {
  const { task, before } = state;
  if (before !== null || task.status === 'failed') return unchanged(state);
  const fields = {
    status: 'blocked',
    blocked_reason: INTENT_SUSPENDED,
    suspended_intent_id: task.intent_id,
  } as const;
  const payload = { reason: INTENT_SUSPENDED, blocked_by: task.intent_id };
  const event = taskEvent(state, 'task.blocked', CLOCK_ACTOR, payload);
  const { status, blocked_reason } = task;
  return evolve({ ...state, before: { status, blocked_reason } }, at, fields, event);
}

function unblock(state: TaskState, resolution: Resolution | null, at: string): TaskChange {
  const payload = { resolution };
  const event = taskEvent(state, 'task.unblocked', CLOCK_ACTOR, payload);
  return evolve({ ...state, before: null }, at, resumed(state), event);
}

/** R26-13, R26-14, AM-36; what waits for its dependencies goes on waiting for them. */
function resumed({ before }: TaskState): Partial<Task> {
  const cleared = { blocked_reason: null, suspended_intent_id: null };
  if (before?.status === 'blocked') return { ...cleared, ...before };
  return { ...cleared, status: before?.status === 'pending' ? 'pending' : 'running' };
}

/** Only with the outputs that were declared; until they are handed in the task stays (RFC-0024 §3.3). */
function complete(state: TaskState, at: string): TaskChange {
  const { task, rules } = state;
  const valid = validateOutput(task, rules.types, task.output ?? {});
  if (!valid.ok) {
    const fields = state.before === null ? {} : resumed(state);
    return evolve({ ...state, before: null }, at, { ...fields, error: valid.refusal.detail });
  }
  const fields = { ...ENDED, status: 'completed', completed_at: at } as const;
  const payload = { output: task.output, artifacts: [...task.artifacts] };
  const event = taskEvent(state, 'task.completed', CLOCK_ACTOR, payload);
  return evolve({ ...state, before: null }, at, fields, event);
}

function abandon(state: TaskState, { abandonment_reason }: Announcement, at: string): TaskChange {
  const error = abandonment_reason ?? 'intent_abandoned';
  const fields = { ...ENDED, status: 'failed', error } as const;
  const { attempt } = state.task;
  const payload = { error, attempt, will_retry: false };
  const event = taskEvent(state, 'task.failed', CLOCK_ACTOR, payload);
  return evolve({ ...state, before: null }, at, fields, event);
}

const ENDED = { blocked_reason: null, suspended_intent_id: null, waiting_claim: null } as const;
