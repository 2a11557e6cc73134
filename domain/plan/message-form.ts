import type { TaskNews } from '../../contracts/task.js';
import type { EventDraft } from '../intent/entity.js';
import type { TaskOrder } from './task.js';
import type { Gate } from './task-state.js';

const STATUSES: ReadonlySet<unknown> = new Set([
  'pending',
  'ready',
  'claimed',
  'running',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'skipped',
]);
/** Temporal takes workflow ids of up to 1,000 characters. */
const ID_CHARACTERS = 1_000;

/**
 * Whether a message is formed like what a task tells, so that taking it in cannot fail: a Signal has no
 * validator, and whoever reaches Temporal can send one.
 */
export function isNews(message: unknown): message is TaskNews {
  if (!isObject(message)) return false;
  const { task_id, revision, name, status, attempt, max_attempts, error } = message;
  const { suspension, output = null, dependents_held_by, final = true } = message;
  return (
    [task_id, name].every((one) => typeof one === 'string') &&
    [revision, attempt, max_attempts].every(Number.isInteger) &&
    STATUSES.has(status) &&
    (error === null || typeof error === 'string') &&
    final === true &&
    (suspension === null || isSuspension(suspension)) &&
    (output === null || isObject(output)) &&
    (dependents_held_by === undefined || typeof dependents_held_by === 'string')
  );
}

/** Whether a message opens or closes a task's gate. */
export function isGate(message: unknown): message is Gate {
  if (!isObject(message)) return false;
  return Number.isInteger(message['revision']) && typeof message['open'] === 'boolean';
}

/** Whether a message is what a plan orders one of its tasks to do. */
export function isOrder(message: unknown): message is TaskOrder {
  if (!isObject(message)) return false;
  const { kind, reason } = message;
  return kind === 'skip' || (kind === 'cancel' && typeof reason === 'string');
}

/** Whether a message can be the workflow id of a follower. */
export function isFollower(message: unknown): message is string {
  return typeof message === 'string' && message !== '' && message.length <= ID_CHARACTERS;
}

/** Whether a message is an event that a task or a plan may append to the log of its intent. */
export function isPlanEvent(message: unknown): message is EventDraft {
  if (!isObject(message)) return false;
  const { event_type, actor, payload } = message;
  const isType = typeof event_type === 'string' && /^(task|plan)\.\w+$/.test(event_type);
  return isType && typeof actor === 'string' && isObject(payload);
}

function isSuspension(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { intent_id, suspended_since, expires_at } = value;
  return (
    typeof intent_id === 'string' &&
    typeof suspended_since === 'string' &&
    (expires_at === null || typeof expires_at === 'string')
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
