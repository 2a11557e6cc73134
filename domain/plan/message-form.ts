import { TASK_STATUSES } from '../../contracts/constants/statuses.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { isObject, isOneOf } from '../kernel/message-form.js';
import type { EventDraft } from '../intent/entity.js';
import type { TaskOrder } from './task.js';
import type { Gate } from './task-state.js';

export function isNews(message: unknown): message is TaskNews {
  if (!isObject(message)) return false;
  const { task_id, revision, name, status, attempt, max_attempts, error } = message;
  const { suspension, output = null, dependents_held_by, final = true } = message;
  return (
    [task_id, name].every((one) => typeof one === 'string') &&
    [revision, attempt, max_attempts].every(Number.isInteger) &&
    isOneOf(status, TASK_STATUSES) &&
    (error === null || typeof error === 'string') &&
    final === true &&
    (suspension === null || isSuspension(suspension)) &&
    (output === null || isObject(output)) &&
    (dependents_held_by === undefined || typeof dependents_held_by === 'string')
  );
}

export function isGate(message: unknown): message is Gate {
  if (!isObject(message)) return false;
  const { revision, open, held } = message;
  const isHold = held === undefined || held === 'checkpoint';
  return Number.isInteger(revision) && typeof open === 'boolean' && isHold;
}

export function isOrder(message: unknown): message is TaskOrder {
  if (!isObject(message)) return false;
  const { kind, reason } = message;
  return kind === 'skip' || (kind === 'cancel' && typeof reason === 'string');
}

/** Whether a message has the form of an event that a task or a plan may append to the log of its intent. */
export function isPlanEvent(message: unknown): message is EventDraft {
  if (!isObject(message)) return false;
  const { event_type, actor, principal, payload } = message;
  const isType = typeof event_type === 'string' && /^(task|plan)\.\w+$/.test(event_type);
  const names = [actor, principal];
  return isType && names.every((name) => typeof name === 'string') && isObject(payload);
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
