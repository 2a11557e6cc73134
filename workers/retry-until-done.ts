import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from './log.js';

/** How long one try may take, in milliseconds. */
const TRY_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;
const NEVER = new AbortController().signal;

/** How long, and with which pauses, something is tried. */
export interface RetryOptions {
  /** Aborted when the worker stops. */
  readonly signal?: AbortSignal;
  /** Doubles from try to try; in milliseconds. */
  readonly firstPauseMs?: number;
}

/**
 * Ensures something that a worker needs, such as a schedule: tries again until it is done or the worker stops, and logs each
 * failure with the time of the next try. Never rejects, so that a server that is away keeps no worker from starting.
 *
 * @param what - the subject of the line that is logged
 */
export async function retryUntilDone(
  client: Pick<Client, 'withDeadline'>,
  log: Log,
  what: string,
  work: () => Promise<void>,
  { signal = NEVER, firstPauseMs = FIRST_PAUSE_MS }: RetryOptions = {},
): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  for (let waitMs = firstPauseMs; !isOver(); waitMs = Math.min(waitMs * 2, MAX_PAUSE_MS)) {
    try {
      await client.withDeadline(Date.now() + TRY_MS, work);
      return;
    } catch (error) {
      // What is cut off by the end of the worker is no failure.
      if (isOver()) return;
      const next = `trying again in ${waitMs / 1_000} s`;
      log.warn({ err: error }, `${what} could not be ensured; ${next}`);
    }
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
