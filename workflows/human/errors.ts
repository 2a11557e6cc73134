import { ApplicationFailure } from '@temporalio/common';
import { PORTFOLIO_DEADLINE_EXCEEDED } from '../../contracts/constants/statuses.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import type { SettledInput } from './inbox.js';

/** The details of both errors: the question and its end, without its context. */
export interface InputErrorDetails {
  readonly suspension: Omit<SettledRecord, 'context'>;
  readonly attempts: number;
}

function detailsOf(record: SettledRecord, attempts: number): InputErrorDetails {
  const { context: _private, ...suspension } = record;
  return { suspension, attempts };
}

/**
 * Nobody answered in time and the policy was `fail` (R25-56, R25-90). For callers of the workflow, its `type` is its
 * name.
 */
export class InputTimeoutError extends ApplicationFailure {
  readonly suspension: InputErrorDetails['suspension'];
  readonly attempts: number;

  constructor(record: SettledRecord, attempts: number) {
    const details = detailsOf(record, attempts);
    super(`Nobody answered after ${attempts} attempt(s).`, 'InputTimeoutError', true, [details]);
    this.suspension = details.suspension;
    this.attempts = attempts;
  }
}

/**
 * The question was withdrawn by somebody else (R25-90), or its portfolio's deadline ended it, with the reason
 * `portfolio_deadline_exceeded`. For callers of the workflow, its `type` is its name.
 */
export class InputCancelledError extends ApplicationFailure {
  readonly suspension: InputErrorDetails['suspension'];
  readonly reason: string | undefined;

  constructor(record: SettledRecord, attempts: number) {
    const reason = endedByDeadline(record) ? PORTFOLIO_DEADLINE_EXCEEDED : record.reason;
    const why = reason === undefined ? '.' : `: ${reason}`;
    const details = detailsOf(record, attempts);
    super(`The question was withdrawn${why}`, 'InputCancelledError', true, [details]);
    this.suspension = details.suspension;
    this.reason = reason;
  }
}

/** Returns the error for a question that was settled without an answer or a fallback. */
export function endWithoutAnswer({
  record,
  attempt,
}: SettledInput): InputTimeoutError | InputCancelledError {
  const isSilence = record.resolution === 'expired' && !endedByDeadline(record);
  return isSilence
    ? new InputTimeoutError(record, attempt)
    : new InputCancelledError(record, attempt);
}
