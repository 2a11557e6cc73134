import type { PauseEnd } from '../../contracts/suspension/pause-requests.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { pauseEnd } from '../../domain/suspension/asking/pause.js';
import { InputCancelledError } from './errors.js';
import type { InSpace, PauseOptions } from './hooks.js';
import { awaitSettled, openInput } from './request-input.js';

/**
 * Suspends the workflow for another reason than a question to people (JC-47), until its `resume_signal` comes or its time is
 * over, and returns the outcome: `resumed` with the data of the signal, or its `timeout_outcome` with null. Nobody
 * is notified. Throws InputCancelledError if it is withdrawn, an ApplicationFailure with the code of what is wrong with
 * the options, and the cancellation of the workflow or its scope.
 */
export async function pause(options: PauseOptions): Promise<PauseEnd> {
  return awaitPause(await openPause(options));
}

/** Opens a pause and returns its id once it is durable: `awaitPause` waits, in this run or one that continues it. */
export async function openPause(options: PauseOptions): Promise<string> {
  return openInput(options);
}

/** Waits for a pause of this workflow as `pause` does. `space` must be passed again in a new run. */
export async function awaitPause(suspensionId: string, { space }: InSpace = {}): Promise<PauseEnd> {
  const { record, attempt } = await awaitSettled(suspensionId, { space });
  if (record.resolution === 'cancelled' || endedByDeadline(record)) {
    throw new InputCancelledError(record, attempt);
  }
  return pauseEnd(record);
}
