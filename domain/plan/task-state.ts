import type { Guarded, Reader } from '../../contracts/intent/access.js';
import type { AnnouncedSuspension, Announcement } from '../../contracts/graph/announcement.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type {
  DeclaredTypes,
  Task,
  TaskNews,
  TaskStatus,
  TaskSuspension,
} from '../../contracts/plan/task.js';
import { openQuestionOf } from '../graph/announcement.js';
import type { EventDraft } from '../intent/entity.js';
import { toInstant, toMillis } from '../kernel/time.js';
import { defined } from '../../contracts/constants/defined.js';

/** How long the current attempt has run. The clock is stopped while `since` is null. */
interface TaskClock {
  /** The time before `since`, in milliseconds. */
  readonly used_ms: number;
  /** ISO-8601. */
  readonly since: string | null;
}

export const UNUSED: TaskClock = { used_ms: 0, since: null };

/** Updates the clock, which runs while an agent works on the task and restarts at zero in each attempt. */
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

export function stopClock({ used_ms, since }: TaskClock, at: string): TaskClock {
  if (since === null) return { used_ms, since };
  return { used_ms: used_ms + Math.max(0, toMillis(at) - toMillis(since)), since: null };
}

/** Subtracts the time of a question that was settled before the task learned of it (R26-79). */
export function creditWait(
  clock: TaskClock,
  { suspended_at, settled_at }: AnnouncedSuspension,
): TaskClock {
  const { used_ms, since } = clock;
  if (since === null || settled_at === null) return clock;
  const waited = toMillis(settled_at) - Math.max(toMillis(suspended_at), toMillis(since));
  return { used_ms: used_ms - Math.max(0, waited), since };
}

/** Returns when the attempt reaches `timeout_seconds`; undefined without a limit, or while its clock is stopped. */
export function timeoutOf(
  { timeout_seconds }: Pick<Task, 'timeout_seconds'>,
  { used_ms, since }: TaskClock,
): string | undefined {
  if (timeout_seconds === null || since === null) return undefined;
  return toInstant(toMillis(since) + timeout_seconds * 1_000 - used_ms);
}

/** The fields that are restored when a task's intent resumes. */
export type BeforeSuspension = Pick<Task, 'status' | 'blocked_reason'>;

/** Whether the plan allows its tasks to become ready. The higher revision is newer. */
export interface Gate {
  readonly revision: number;
  readonly open: boolean;
  /** Set if the task is held by a question that people must decide. */
  readonly held?: 'checkpoint';
}

/** A task with everything it knows about its intent and its dependencies. */
export interface TaskState {
  readonly task: Task;
  /** Counts the changes that others can see. */
  readonly revision: number;
  /** Set while the intent is suspended. */
  readonly before: BeforeSuspension | null;
  readonly clock: TaskClock;
  readonly intent: Announcement | null;
  /** The principals that may write to the task, until its intent has announced itself. */
  readonly guard?: Guarded | undefined;
  /** The principal whose waiting claim access lists may restrict. */
  readonly claimant?: Reader | undefined;
  readonly upstream: readonly TaskNews[];
  readonly gate: Gate;
  readonly rules: TaskRules;
  /** Why a phase was cancelled with its workflow: its intent then asks nobody any more. */
  readonly called_off?: string;
}

/** The declarations of a task, which never change. */
export interface TaskRules {
  readonly types: DeclaredTypes;
  /** The values of `$trigger` and `$initial_state` references, resolved at creation. */
  readonly static_values: JsonObject;
  /** The task is skipped unless this holds (RFC-0012 §2.4). */
  readonly condition: { readonly id: string; readonly when: string } | null;
}

/** The next state and its events. */
export interface TaskChange {
  readonly state: TaskState;
  readonly events: readonly EventDraft[];
}

/** The `blocked_reason` of a task whose intent is suspended (R26-12). */
export const INTENT_SUSPENDED = 'intent_suspended';
/** The `blocked_reason` of a task that a coordinator holds because of a phase before it (R26-33). */
export const UPSTREAM_SUSPENDED = 'upstream_suspended';

/** Whether only a coordinator's hold blocks the task. A suspended intent replaces that reason. */
export function isHeldBack({ blocked_reason }: Pick<Task, 'blocked_reason'>): boolean {
  return blocked_reason === UPSTREAM_SUSPENDED;
}

const OVER: readonly TaskStatus[] = ['completed', 'cancelled', 'skipped'];

/** Whether the task has ended. A failed task has not, because it can be retried. */
export function isTaskOver(status: TaskStatus): boolean {
  return OVER.includes(status);
}

/** Changes fields of the task. Adds one version and one revision. */
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

export function unchanged(state: TaskState): TaskChange {
  return { state, events: [] };
}

/** Applies a second rule to the result of a first one. */
export function andThen(first: TaskChange, rule: (state: TaskState) => TaskChange): TaskChange {
  const second = rule(first.state);
  return { state: second.state, events: [...first.events, ...second.events] };
}

/** Returns an event of the task. Its payload begins with the id of the task. */
export function taskEvent(
  { task }: TaskState,
  event_type: EventDraft['event_type'],
  actor: string,
  payload: JsonObject = {},
): EventDraft {
  return { event_type, actor, payload: { task_id: task.id, ...payload } };
}

/** Whether the intent is suspended, even if its question is not recorded yet. */
export function isIntentSuspended({ intent }: TaskState): boolean {
  return intent?.status === 'suspended_awaiting_input';
}

/** Returns the open suspension of the intent, or null. */
export function suspensionOf({ intent }: TaskState): TaskSuspension | null {
  const open = intent && openQuestionOf(intent);
  if (!open) return null;
  const { suspended_at: suspended_since, expires_at } = open;
  return { intent_id: intent.intent_id, suspended_since, expires_at };
}

export function newsOf(state: TaskState): TaskNews {
  const isFinal = state.task.status === 'failed' && state.intent?.status === 'abandoned';
  const dependents_held_by = state.intent?.dependents_held_by;
  return {
    ...storedNews(state.task, state.revision),
    suspension: suspensionOf(state),
    ...defined({ dependents_held_by }),
    ...(isFinal && { final: true }),
  };
}

/** Returns the news of a task whose workflow has ended, from the stored record. Its intent is closed. */
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
