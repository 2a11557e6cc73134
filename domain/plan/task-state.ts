import type { AnnouncedSuspension, Announcement } from '../../contracts/announcement.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type {
  DeclaredTypes,
  Task,
  TaskNews,
  TaskStatus,
  TaskSuspension,
} from '../../contracts/task.js';
import { openQuestionOf } from '../graph/announcement.js';
import type { EventDraft } from '../intent/entity.js';
import { toInstant, toMillis } from '../kernel/time.js';

/** How long the current attempt of a task has run; it stands still where `since` is null. */
interface TaskClock {
  /** Milliseconds, without what runs since `since`. */
  readonly used_ms: number;
  /** ISO-8601. */
  readonly since: string | null;
}

/** The clock of an attempt that has not begun. */
export const UNUSED: TaskClock = { used_ms: 0, since: null };

/** The clock after a change: it runs while an agent has the task running, from zero in each attempt. */
function updateClock(
  clock: TaskClock,
  before: Pick<Task, 'attempt'>,
  after: Pick<Task, 'attempt' | 'status' | 'assigned_agent'>,
  at: string,
): TaskClock {
  const known = after.attempt === before.attempt ? clock : UNUSED;
  const runs = after.status === 'running' && after.assigned_agent !== null;
  if (!runs) return stopClock(known, at);
  return known.since === null ? { ...known, since: at } : known;
}

/** Stops it as of an instant. */
export function stopClock({ used_ms, since }: TaskClock, at: string): TaskClock {
  if (since === null) return { used_ms, since };
  return { used_ms: used_ms + Math.max(0, toMillis(at) - toMillis(since)), since: null };
}

/** Gives back what passed while a question was open that was settled before the task heard of it (R26-79). */
export function creditWait(
  clock: TaskClock,
  { suspended_at, settled_at }: AnnouncedSuspension,
): TaskClock {
  const { used_ms, since } = clock;
  if (since === null || settled_at === null) return clock;
  const waited = toMillis(settled_at) - Math.max(toMillis(suspended_at), toMillis(since));
  return waited > 0 ? { used_ms: used_ms - waited, since } : clock;
}

/** When the attempt has used up its `timeout_seconds`; undefined where it has none, or stands still. */
export function timeoutOf(
  { timeout_seconds }: Pick<Task, 'timeout_seconds'>,
  { used_ms, since }: TaskClock,
): string | undefined {
  if (timeout_seconds === null || since === null) return undefined;
  return toInstant(toMillis(since) + timeout_seconds * 1_000 - used_ms);
}

/** What a task returns to when its intent goes on. */
type BeforeSuspension = Pick<Task, 'status' | 'blocked_reason'>;

/** Whether the plan lets its tasks become ready; the higher revision counts. */
export interface Gate {
  readonly revision: number;
  readonly open: boolean;
}

/** A task with all that it knows of what it depends on. */
export interface TaskState {
  readonly task: Task;
  /** Counts every change that others are told of. */
  readonly revision: number;
  /** Set while the task mirrors the suspension of its intent. */
  readonly before: BeforeSuspension | null;
  /** How long its agent has been at it. */
  readonly clock: TaskClock;
  /** The newest from its intent. */
  readonly intent: Announcement | null;
  /** The newest from each task that it depends on. */
  readonly upstream: readonly TaskNews[];
  readonly gate: Gate;
  readonly rules: TaskRules;
}

/** What was declared about a task and never changes. */
export interface TaskRules {
  readonly types: DeclaredTypes;
  /** The values of `$trigger.…` and `$initial_state.…` references, resolved at creation. */
  readonly static_values: JsonObject;
  /** Bypasses the task unless it holds (RFC-0012 §2.4). */
  readonly condition: { readonly id: string; readonly when: string } | null;
}

/** The next state and the events that tell of it. */
export interface TaskChange {
  readonly state: TaskState;
  readonly events: readonly EventDraft[];
}

/** Why a task is blocked while its intent waits for an operator (RFC-0026 Rule 3). */
export const INTENT_SUSPENDED = 'intent_suspended';
/** Why it is while a coordinator holds it for a phase before it (AM-40). */
export const UPSTREAM_SUSPENDED = 'upstream_suspended';

const OVER: readonly TaskStatus[] = ['completed', 'cancelled', 'skipped'];

/** Whether nothing can follow; a failed task can be tried again. */
export function isTaskOver(status: TaskStatus): boolean {
  return OVER.includes(status);
}

/** A change of what others see: one revision on, and where fields of the task change one version. */
export function evolve(
  state: TaskState,
  at: string,
  fields: Partial<Task>,
  ...events: readonly EventDraft[]
): TaskChange {
  const task = { ...state.task, ...fields, version: state.task.version + 1, updated_at: at };
  const clock = updateClock(state.clock, state.task, task, at);
  return { state: { ...state, task, clock, revision: state.revision + 1 }, events };
}

/** The same state, with nothing to tell. */
export function unchanged(state: TaskState): TaskChange {
  return { state, events: [] };
}

/** Applies a second rule to what the first left. */
export function andThen(first: TaskChange, rule: (state: TaskState) => TaskChange): TaskChange {
  const second = rule(first.state);
  return { state: second.state, events: [...first.events, ...second.events] };
}

/** An event of the task, whose id it names first. */
export function taskEvent(
  { task }: TaskState,
  event_type: EventDraft['event_type'],
  actor: string,
  payload: JsonObject = {},
): EventDraft {
  return { event_type, actor, payload: { task_id: task.id, ...payload } };
}

/** Whether the task's intent waits for an operator, also where its question is still to come. */
export function isIntentSuspended({ intent }: TaskState): boolean {
  return intent?.status === 'suspended_awaiting_input';
}

/** The open suspension of the task's intent. */
export function suspensionOf({ intent }: TaskState): TaskSuspension | null {
  const open = intent && openQuestionOf(intent);
  if (!open) return null;
  const { suspended_at: suspended_since, expires_at } = open;
  return { intent_id: intent.intent_id, suspended_since, expires_at };
}

/** What the plan and the dependents of a task are told. */
export function newsOf(state: TaskState): TaskNews {
  const isFinal = state.task.status === 'failed' && state.intent?.status === 'abandoned';
  const dependents_held_by = state.intent?.dependents_held_by;
  return {
    ...storedNews(state.task, state.revision),
    suspension: suspensionOf(state),
    ...(dependents_held_by !== undefined && { dependents_held_by }),
    ...(isFinal && { final: true }),
  };
}

/** The same of a task whose workflow has ended, from what is stored: its intent is closed. */
export function storedNews(task: Task, revision: number): TaskNews {
  const { id, name, status, attempt, max_attempts, error, output } = task;
  return {
    task_id: id,
    revision,
    name,
    status,
    attempt,
    max_attempts,
    error,
    suspension: null,
    ...(status === 'completed' && { output }),
  };
}
