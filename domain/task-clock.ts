import type { AnnouncedSuspension } from '../contracts/announcement.js';
import type { Task } from '../contracts/task.js';
import { toInstant, toMillis } from './time.js';

/** How long the current attempt of a task has run; it stands still where `since` is null. */
export interface TaskClock {
  /** Milliseconds, without what runs since `since`. */
  readonly used_ms: number;
  /** ISO-8601. */
  readonly since: string | null;
}

/** The clock of an attempt that has not begun. */
export const UNUSED: TaskClock = { used_ms: 0, since: null };

/** The clock after a change: it runs while an agent has the task running, from zero in each attempt. */
export function turnClock(
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
