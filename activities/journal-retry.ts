import { ApplicationFailure } from '@temporalio/common';

/** The pauses after the first tries, in milliseconds. With the try itself, these take some 20 s. */
const FIRST_PAUSES_MS = [250, 1_000, 4_000, 16_000];
/** From then on, at most one try a minute; up to half as long again, so that workflows which failed together spread. */
const PAUSE_MS = 60_000;
const SPREAD = 0.5;

/**
 * The failure of a write to the store, with the time until the next try. Retry policies of Temporal have no jitter: after an
 * outage, all workflows would write in the same moments.
 *
 * @param attempt - the number of the try that failed, from 1 on
 * @param random - between 0 and 1
 */
export function journalFailure(
  error: unknown,
  attempt: number,
  random = Math.random(),
): ApplicationFailure {
  const pauseMs = FIRST_PAUSES_MS[attempt - 1] ?? PAUSE_MS;
  const nextRetryDelay = Math.round(pauseMs * (1 + SPREAD * random));
  return ApplicationFailure.fromError(error, { nextRetryDelay });
}
