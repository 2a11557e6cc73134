import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal } from '../../contracts/problem.js';
import { RefusalError } from '../errors.js';

/** The error that refuses with a code; `extra` names field, accepted form and state. */
export function refused(
  code: ErrorCode,
  detail: string,
  extra: Omit<Refusal, 'code' | 'detail'> = {},
): RefusalError {
  return new RefusalError({ code, detail, ...extra });
}

/**
 * The 503 of a write that no worker took in time. It may still be carried out later, when a worker
 * comes back; a request with a key (or If-Match) can be sent again without doubling.
 */
export function writeUnavailable(): RefusalError {
  return refused(
    'workflow_unavailable',
    'No worker took the request in time. It may still be carried out: read the state before you send it again without a key.',
  );
}

/** The 503 of a read that neither a worker nor the store could serve. */
export function readUnavailable(): RefusalError {
  return refused('workflow_unavailable', 'No worker answered, and the store has no copy yet.');
}

/** The 422 of an Idempotency-Key that stands for another body. */
export function idempotencyKeyReused(): RefusalError {
  return refused(
    'idempotency_key_reused',
    'The Idempotency-Key was used before with another body.',
    { field: 'Idempotency-Key', accepted: 'the body of the first request, or a new key' },
  );
}

export function intentNotFound(): RefusalError {
  return refused('intent_not_found', 'No intent has this id.');
}

export function coordinatorNotFound(): RefusalError {
  return refused('coordinator_not_found', 'No coordinator has this id.');
}

export function portfolioNotFound(): RefusalError {
  return refused('portfolio_not_found', 'No portfolio has this id.');
}

export function suspensionNotFound(): RefusalError {
  return refused('suspension_not_found', 'No suspension has this id.');
}
