import type { Reader } from '../../contracts/access.js';
import type { JsonValue } from '../../contracts/primitives.js';
import type { Task } from '../../contracts/task.js';
import { isInstant, isObject } from '../kernel/message-form.js';
import { toMillis } from '../kernel/time.js';
import { accessOf } from '../policy/access-list.js';
import type { AccessLevel } from '../policy/access-list.js';
import type { TaskState } from './task-state.js';

/**
 * Returns what the access list of its intent lets a reader do to a task, as far as the task has heard of it. Two are
 * not narrowed: the agent that has the task (RFC-0011, "private"), and one that the task's own list names (RFC-0012
 * §4.1).
 *
 * @param at - ISO-8601; entries that have expired by then do not count
 */
export function taskAccess(
  { task, intent, guard }: Pick<TaskState, 'task' | 'intent' | 'guard'>,
  reader: Reader | undefined,
  at: string,
): AccessLevel {
  const now = toMillis(at);
  if (reader !== undefined && isOwnTask(task, reader.principal, now)) return 'admin';
  return accessOf(reader, (intent === null ? guard : intent.guard) ?? {}, now);
}

/**
 * Whether an agent has the task, or the task's own `permissions` let it write.
 *
 * @param now - milliseconds since the epoch
 */
export function isOwnTask(
  { assigned_agent, permissions }: Task,
  principal: string,
  now: number,
): boolean {
  if (assigned_agent === principal) return true;
  const listed = listedAgents(permissions)?.filter(({ agent }) => agent === principal);
  const isOver = (expires: unknown) => isInstant(expires) && toMillis(expires) <= now;
  return listed?.some(({ level, expires }) => level !== 'read' && !isOver(expires)) ?? false;
}

/** An entry of a task's own list. */
interface ListedAgent {
  readonly agent: unknown;
  readonly level?: unknown;
  readonly expires?: unknown;
}

/**
 * Returns the entries of a task's `permissions` (RFC-0012 §4.1): under `allow` the names of agents, or objects with
 * the name as `agent`. Returns undefined if there is no such list, so that the task itself limits nobody.
 */
export function listedAgents(permissions: JsonValue): readonly ListedAgent[] | undefined {
  const allow: unknown = isObject(permissions) ? permissions['allow'] : undefined;
  if (!Array.isArray(allow)) return undefined;
  return allow.map((one: unknown) =>
    isObject(one) ? { agent: undefined, ...one } : { agent: one },
  );
}
