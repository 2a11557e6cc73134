import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../store/failures.js';
import type { Log } from './log.js';

/** Something that a worker looks for outside of Temporal, so that nothing is billed while there is nothing. */
export interface Watched {
  /** The subject of the line that says that a look failed. */
  readonly what: string;
  /** The pause between two looks, in milliseconds. */
  readonly everyMs: number;
  /** Looks, and resolves once what was found is dealt with, or `signal` aborts. */
  readonly look: (signal: AbortSignal) => Promise<void>;
}

/** The surroundings of a watch. */
export interface WatchSurroundings {
  readonly log: Log;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Waits so many milliseconds, or rejects once the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The shortest pause after a look that failed, in milliseconds. */
const AFTER_FAILURE_MS = 10_000;

/**
 * Looks, now and again and again, until the worker stops. Logs the first failure of several in a row, and never rejects: a store
 * or a Temporal that is away is looked at again.
 */
export async function keepWatch(
  { what, everyMs, look }: Watched,
  { log, signal, wait = pause }: WatchSurroundings,
): Promise<void> {
  let hasFailed = false;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      await look(signal);
      hasFailed = false;
    } catch (error) {
      // What is cut off by the end of the worker is no failure.
      if (isOver()) return;
      if (!hasFailed) log.warn({ what, ...failureOf(error) }, 'watch_failed');
      hasFailed = true;
    }
    try {
      await wait(hasFailed ? Math.max(everyMs, AFTER_FAILURE_MS) : everyMs, signal);
    } catch {
      // Only a stop cuts it short.
      return;
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false });
}
