import type { Reader } from '../../contracts/intent/access.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import type { Task } from '../../contracts/plan/task.js';
import { isInstant, isObject } from '../kernel/message-form.js';
import { toMillis } from '../kernel/time.js';
import { accessOf } from '../policy/access-list.js';
import type { AccessLevel } from '../policy/access-list.js';
import type { TaskState } from './task-state.js';

/**
 * Returns a reader's rights to a task by its intent's access list, as far as the task knows it. The agent that has
 * the task (RFC-0011, "private") and those on the task's own list (RFC-0012 §4.1) are not narrowed.
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

/** Whether an agent has the task, or its own `permissions` let the agent write at `now` (ms). */
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

interface ListedAgent {
  readonly agent: unknown;
  readonly level?: unknown;
  readonly expires?: unknown;
}

/**
 * Returns the entries of a task's `permissions.allow` (RFC-0012 §4.1): names of agents, or objects with the name as
 * `agent`. Undefined without a list, which limits nobody.
 */
export function listedAgents(permissions: JsonValue): readonly ListedAgent[] | undefined {
  const allow: unknown = isObject(permissions) ? permissions['allow'] : undefined;
  if (!Array.isArray(allow)) return undefined;
  return allow.map((one: unknown) =>
    isObject(one) ? { agent: undefined, ...one } : { agent: one },
  );
}
