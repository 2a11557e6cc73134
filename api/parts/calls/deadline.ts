import type { Client } from '@temporalio/client';
import { setMaxListeners } from 'node:events';

/** Time as the API uses it, so that tests can hold it still. Milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason once it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Only tests set it. */
  readonly patience?: Patience;
}

/** Factors by which the API waits longer than usual: for Temporal and the store, and for a worker. */
export interface Patience {
  readonly servers: number;
  readonly worker: number;
}

/**
 * Returns a limit of the API in milliseconds, with the patience of its clock. It is not for limits that a caller
 * chose.
 */
export function limitOf(clock: Clock, on: keyof Patience, ms: number): number {
  return ms * (clock.patience?.[on] ?? 1);
}

/** The clock of the process; `now` returns milliseconds since the epoch. */
export function systemClock(now: () => number): Clock {
  return { now, sleep };
}

/** Replaces Node's own, which creates an error with a stack trace whenever it is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cut);
      resolve();
    }, ms);
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
  });
}

/**
 * The abort reason of a scope whose work is done. All share one, because each abort without a reason creates an error
 * with a stack trace.
 */
export const OVER = new Error('nobody waits any more');

/** How long a read waits for a worker, or for the store. Milliseconds. */
export const READ_MS = 2_000;

/** How long a write waits for Temporal, a worker, and the things that it names. Milliseconds. */
export const WRITE_MS = 10_000;

/** The RPC's own deadline is later than ours, so that ours passes first. */
const GRACE_MS = 1_000;

/** The work did not end in its time. It may still have an effect elsewhere. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** The bounds of some work: a signal that aborts when nobody waits any more, and the last instant. */
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
 * Runs work for at most `ms` milliseconds, whatever retries the SDK hides. Throws DeadlinePassed when time is up, and
 * the reason of `caller` when the caller leaves; both abort the scope of the work.
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
    over.abort(OVER);
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

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Makes a call again, after growing pauses, while the scope lasts and `passes` takes the failure for temporary. */
export async function patiently<T>(
  clock: Clock,
  scope: Scope,
  passes: (error: unknown) => boolean,
  call: () => Promise<T>,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!passes(error)) throw error;
    }
    await clock.sleep(pause, scope.signal);
  }
}

const FIRST_LOOK_MS = 5;
const LAST_LOOKS_MS = 200;

/**
 * Looks again, after growing pauses, until `isSo`; throws what `clock.sleep` does once `signal` is aborted.
 *
 * @param usualMs - how long it usually takes: then the first look is after half of that
 */
export async function untilSo(
  clock: Clock,
  signal: AbortSignal,
  isSo: () => Promise<boolean>,
  usualMs = 0,
): Promise<void> {
  const firstMs = Math.min(usualMs / 2, LAST_LOOKS_MS);
  if (firstMs > FIRST_LOOK_MS) await clock.sleep(firstMs, signal);
  let pause = Math.max(firstMs / 2, FIRST_LOOK_MS);
  for (; !(await isSo()); pause = Math.min(pause * 2, LAST_LOOKS_MS)) {
    await clock.sleep(pause, signal);
  }
}
