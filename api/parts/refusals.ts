import type { ErrorCode } from '../../contracts/constants/errors.js';
import { isEntityId, type WorkflowType } from '../../contracts/constants/names.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { RefusalError, refusalOf } from '../errors.js';

/** The error that refuses with a code; `extra` names field, accepted form and state. */
export function refused(
  code: ErrorCode,
  detail: string,
  extra: Omit<Refusal, 'code' | 'detail'> = {},
): RefusalError {
  return new RefusalError({ code, detail, ...extra });
}

/**
 * The 503 of a write that no worker took in time. It may still be carried out later; with a key (or If-Match) it can
 * be sent again without doubling.
 */
export function writeUnavailable(): RefusalError {
  return refused(
    'workflow_unavailable',
    'No worker took the request in time. It may still be carried out: read the state before you send it again without a key.',
  );
}

/** The 409 of a write to something that is open in the store, and whose workflow was ended from outside. */
export function workflowLost(type: WorkflowType, state: JsonObject): RefusalError {
  const detail = `The workflow of the ${type} was ended in Temporal. It takes no writes any more.`;
  return refused('workflow_lost', detail, { state });
}

export function readUnavailable(): RefusalError {
  return refused('workflow_unavailable', 'No worker answered, and the store has no copy yet.');
}

export function idempotencyKeyReused(): RefusalError {
  return refused(
    'idempotency_key_reused',
    'The Idempotency-Key was used before with another body.',
    { field: 'Idempotency-Key', accepted: 'the body of the first request, or a new key' },
  );
}

/** The 422 of a request_key that stands for something else, such as `the question`. */
export function requestKeyReused(opened: 'question' | 'approval', asked: string): RefusalError {
  return refused('request_key_reused', `This request_key opened another ${opened}.`, {
    field: 'request_key',
    accepted: `${asked} of the first request, or a new key`,
  });
}

/** The 422 of a key whose first result retention has removed: nothing is made a second time under its id. */
export function removedByRetention(field: string): RefusalError {
  return refused(
    'removed_by_retention',
    'What this key made has ended, and was removed long after that.',
    { field, accepted: 'a new key' },
  );
}

/** The 404 of an id that does not exist. Paths call phased plans workflows. */
export function notFound(type: WorkflowType | 'workflow'): RefusalError {
  return refused(`${type}_not_found`, `No ${type} has this id.`);
}

export function demandEntityId(type: WorkflowType, text: string): void {
  if (!isEntityId(text)) throw notFound(type);
}

/** The values that a field accepts, by the code that refuses an unknown id. */
const ACCEPTED: Readonly<Record<string, string>> = {
  intent_not_found: 'the id of an intent',
  portfolio_not_found: 'the id of a portfolio',
  coordinator_not_found: 'the id of a coordinator',
  plan_not_found: 'the id of a plan',
  task_not_found: 'the id of a task',
};

/**
 * Reads what a field of a request refers to.
 *
 * @throws RefusalError if nothing has the id, with the field and what it takes; or what else `read` throws
 */
export async function referenced<T>(field: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const refusal = refusalOf(error);
    const accepted = refusal && ACCEPTED[refusal.code];
    if (!refusal || !accepted) throw error;
    throw new RefusalError({ ...refusal, field, accepted }, { cause: error });
  }
}

/** Returns the error of a wait that was cut short: it changed nothing, so the request may be sent again. */
export function interrupted(error: unknown): unknown {
  if (refusalOf(error) !== undefined) return error;
  return refused('workflow_unavailable', 'The wait was interrupted.');
}
