import { setMaxListeners } from 'node:events';
import type { Client } from '@temporalio/client';
import type { Clock } from './clock.js';

/** How long a write waits for Temporal and a worker, and for what it names. Milliseconds. */
export const WRITE_MS = 10_000;

/** The RPC's own deadline lies behind ours, so that ours tells which of the two passed. */
const GRACE_MS = 1_000;

/** The work did not end in its time. It may still have an effect elsewhere. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** What bounded work gets: a signal that aborts when nobody waits any more, and the last instant. */
export interface Scope {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

async function abortion(signal: AbortSignal, until: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: until });
  });
}

/**
 * Runs work for at most `ms` milliseconds; the SDK's own hidden retries cannot lengthen it. Throws
 * DeadlinePassed when time is up and the reason of `caller` when the caller gives up; the work's
 * scope aborts in either case.
 */
export async function withinDeadline<T>(
  clock: Clock,
  ms: number,
  work: (scope: Scope) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  // The SDK adds a listener for each RPC and removes none.
  setMaxListeners(0, over.signal);
  const timeUp = clock.sleep(ms, over.signal).then((): never => {
    throw new DeadlinePassed(`not done within ${ms} ms`);
  });
  const ends: Promise<T>[] = [timeUp];
  if (caller) ends.push(abortion(caller, over.signal));
  try {
    const result = work({ signal: over.signal, deadline: clock.now() + ms });
    return await Promise.race([result, ...ends]);
  } finally {
    over.abort();
  }
}

/** Makes every RPC inside `call` end with the scope. */
export async function inScope<T>(
  client: Pick<Client, 'withDeadline' | 'withAbortSignal'>,
  scope: Scope,
  call: () => Promise<T>,
): Promise<T> {
  return client.withDeadline(scope.deadline + GRACE_MS, () =>
    client.withAbortSignal(scope.signal, call),
  );
}
