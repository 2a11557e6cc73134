import { ConnectionError, HoldpointError } from './errors.js';

/** `always` for reads and calls with a key; `undelivered` for calls that must not run twice. */
export type Repeatable = 'always' | 'undelivered';

export interface RetryRules {
  readonly repeatable: Repeatable;
  /** How often the call is made at most; Infinity keeps trying until the signal aborts. */
  readonly tries: number;
  /** No try begins later than so many milliseconds after the first. */
  readonly withinMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called for each failure after which the call is made again. */
  readonly onRetry: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** Statuses that a restarting or busy server, or a proxy before it, gives for a moment. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Refusals that changed nothing, and of which nothing will come: of a workflow between two runs, and of a server, or a
 * proxy before it, that has too much to do.
 */
const UNTOUCHED: ReadonlySet<string> = new Set(['moving', 'busy', 'too_many_requests', 'http_429']);

/**
 * Milliseconds to wait before try `failures + 1`: doubling from 0.25 s to 15 s, up to a fifth
 * less so that many clients do not return in step; never shorter than `Retry-After` says.
 */
export function pauseBeforeRetry(failures: number, error?: unknown): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  const own = full * (1 - Math.random() / 5);
  const wanted = error instanceof HoldpointError ? (error.retry_after_seconds ?? 0) * 1_000 : 0;
  return Math.max(own, wanted);
}

/**
 * Makes a call, again if the failure is a passing one and repeating it is safe. Throws the last
 * error, or the signal's reason once it is aborted.
 */
export async function withRetries<T>(
  timers: Timers,
  { repeatable, tries, withinMs, signal, onRetry }: RetryRules,
  call: () => Promise<T>,
): Promise<T> {
  const until = timers.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      if (failures >= tries || !mayRepeat(error, repeatable)) throw error;
      const ms = pauseBeforeRetry(failures, error);
      if (timers.now() + ms >= until) throw error;
      onRetry(error);
      await timers.pause(ms, signal);
    }
  }
}

/** Whether a failure is a passing one after which the call may be made again. */
export function mayRepeat(error: unknown, repeatable: Repeatable): boolean {
  if (error instanceof ConnectionError) {
    return repeatable === 'always' || error.delivered === 'no';
  }
  if (!(error instanceof HoldpointError) || error.status === undefined) return false;
  return repeatable === 'always' ? PASSING.has(error.status) : UNTOUCHED.has(error.code);
}

/** How the client waits; replaced in tests. Milliseconds throughout. */
export interface Timers {
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A signal that aborts after `ms`, to give a silent connection up. */
  deadline(ms: number): AbortSignal;
  /** A clock that never goes back. */
  now(): number;
}

/** The longest delay that setTimeout takes. */
const LONGEST_MS = 2_147_483_647;

/** The platform's own timers. */
export const SYSTEM_TIMERS: Timers = {
  pause(ms, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(ms, LONGEST_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  deadline: (ms) => AbortSignal.timeout(ms),
  now: () => Math.ceil(performance.now()),
};
