import { RefusalError, refusalOf } from '../errors.js';

/** A wait that was cut short changed nothing, so the same request may be sent again. */
export function interrupted(error: unknown): unknown {
  if (refusalOf(error) !== undefined) return error;
  return new RefusalError({ code: 'workflow_unavailable', detail: 'The wait was interrupted.' });
}
