import { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';

/**
 * Turns a refusal into what an Update's validator throws: an ApplicationFailure whose type is the
 * error code and whose first detail is the refusal. Nothing else may throw (design §4).
 */
export function failureOf(refusal: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refusal.code,
    message: refusal.detail,
    nonRetryable: true,
    details: [refusal],
  });
}

/** The value of a ruling; throws its refusal. For validators, and for handlers behind one. */
export function demand<T>(ruling: Ruling<T>): T {
  if (!ruling.ok) throw failureOf(ruling.refusal);
  return ruling.value;
}

/** Refuses while a run hands over to the next; the gateway sends the same request again. */
export function refuseMoving(moving: boolean): void {
  const code: ErrorCode = 'moving';
  if (moving) throw failureOf({ code, detail: 'The workflow continues in a new run.' });
}
