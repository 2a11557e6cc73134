import type { Announcement } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Resolution } from '../../contracts/suspension/suspension.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import { isNewer, openQuestionOf } from '../graph/announcement.js';
import { isClosed } from '../intent/entity.js';
import { cutTo } from '../kernel/text.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import { isSatisfied, phaseOf } from './task-claim.js';
import { validateOutput } from './task-output.js';
import {
  INTENT_SUSPENDED,
  UPSTREAM_SUSPENDED,
  creditWait,
  evolve,
  isHeldBack,
  isIntentSuspended,
  isTaskOver,
  stopClock,
  suspensionOf,
  taskEvent,
  unchanged,
  type BeforeSuspension,
  type TaskChange,
  type TaskState,
} from './task-state.js';

/**
 * Holds an unclaimed task while a coordinator holds the phases of its inputs (R26-33). The result does not depend on
 * the order of messages.
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
  if (upstream || !isHeldBack(task)) return unchanged(state);
  const event = taskEvent(state, 'task.unblocked', CLOCK_ACTOR, { resolution: null });
  return evolve(state, at, { status: 'pending', blocked_reason: null }, event);
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
  return Object.values(inputs).some((ref) => phaseOf(ref) === phase);
}

/**
 * Makes a task follow its intent, which it never changes: blocked while that is suspended (R26-12), then running
 * again with the same agent (R26-13), completed or failed with it. Only the newest announcement is used.
 */
export function mirrorIntent(state: TaskState, intent: Announcement, at: string): TaskChange {
  if (intent.intent_id !== state.task.intent_id) return unchanged(state);
  if (!isNewer(state.intent ?? undefined, intent)) return unchanged(state);
  const { guard: _before, ...rest } = state;
  const known = { ...rest, intent, clock: clockAfter(state, intent) };
  const isVisible =
    JSON.stringify(suspensionOf(known)) !== JSON.stringify(suspensionOf(state)) ||
    intent.dependents_held_by !== state.intent?.dependents_held_by;
  const next = isVisible ? { ...known, revision: known.revision + 1 } : known;
  if (isTaskOver(state.task.status)) return unchanged(next);
  if (intent.status === 'completed') return complete(next, at);
  if (intent.status === 'abandoned') return abandon(next, intent, at);
  if (isIntentSuspended(next)) return block(next, at);
  const { before } = next;
  if (before === null) return unchanged(next);
  return unblock(next, before, outcomeOf(state, intent), at);
}

/** The clock stops when the question is asked, even if the task learns of it later (R26-79). */
function clockAfter({ clock, intent: last }: TaskState, intent: Announcement) {
  const { suspension } = intent;
  const open = openQuestionOf(intent);
  if (open) return stopClock(clock, open.suspended_at);
  const wasKnown = last?.suspension?.suspension_id === suspension?.suspension_id;
  const credited = suspension === null || wasKnown ? clock : creditWait(clock, suspension);
  const { suspended_since } = intent;
  return suspended_since === undefined ? credited : stopClock(credited, suspended_since);
}

/** Returns how the intent's question ended; null if the intent waited for a question that never came. */
function outcomeOf({ intent: last }: TaskState, { suspension }: Announcement): Resolution | null {
  if (suspension === null) return null;
  const { suspension_id, resolution } = suspension;
  const { suspension: known = null } = last ?? {};
  const wasSettled = known?.suspension_id === suspension_id && known.resolution !== null;
  return wasSettled ? null : resolution;
}

/** Whether nothing more can happen, so that the task's workflow may end. */
export function isTaskDone({ task, intent }: TaskState): boolean {
  if (intent === null || !isClosed(intent.status)) return false;
  return isTaskOver(task.status) || (task.status === 'failed' && intent.status === 'abandoned');
}

/** Blocks a task that is retried while its intent is suspended. */
export function blockAgain(state: TaskState, at: string): TaskChange {
  return isIntentSuspended(state) ? block(state, at) : unchanged(state);
}

/** Blocks a task for its suspended intent. A failed task stays failed, because it is not waiting. */
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

function unblock(
  state: TaskState,
  before: BeforeSuspension,
  resolution: Resolution | null,
  at: string,
): TaskChange {
  const event = taskEvent(state, 'task.unblocked', CLOCK_ACTOR, { resolution });
  return evolve({ ...state, before: null }, at, resumed(before), event);
}

/** Returns the task's fields after its intent resumes (R26-13, R26-14); it may have been blocked or pending before. */
function resumed(before: BeforeSuspension): Partial<Task> {
  const cleared = { blocked_reason: null, suspended_intent_id: null };
  if (before.status === 'blocked') return { ...cleared, ...before };
  return { ...cleared, status: before.status === 'pending' ? 'pending' : 'running' };
}

/** Completes a task with its intent, or waits for missing declared outputs (RFC-0024 §3.3). */
function complete(state: TaskState, at: string): TaskChange {
  const { task, rules } = state;
  const valid = validateOutput(task, rules.types, task.output ?? {});
  if (!valid.ok) {
    const { keptErrorBytes } = WORKFLOW_LIMITS;
    const fields = state.before === null ? {} : resumed(state.before);
    return evolve({ ...state, before: null }, at, {
      ...fields,
      error: cutTo(valid.refusal.detail, keptErrorBytes),
    });
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
