import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/**
 * What the configuration does not let out. It is no defect of the worker, so Temporal neither tries
 * again nor logs a stack; the timeline of the suspension tells it.
 *
 * @param type - the error code
 */
export function undeliverable(
  type: 'channel_not_configured' | 'recipient_not_allowed',
  message: string,
  details: Readonly<Record<string, unknown>>,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    details: [details],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}
