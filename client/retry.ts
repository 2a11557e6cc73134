import { ConnectionError, HoldpointError } from './errors.js';

/** `always` for reads and calls with a key; `undelivered` for calls that must not run twice. */
export type Repeatable = 'always' | 'undelivered';

interface RetryRules {
  readonly repeatable: Repeatable;
  /** The most tries; with Infinity, it tries until the signal aborts. */
  readonly tries: number;
  /** The milliseconds after the first try within which the last one begins. */
  readonly withinMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called for each failure before a repeat. */
  readonly onRetry: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** The temporary statuses of a restarting or busy server, or of a proxy before it. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Refusals that changed nothing: of a workflow between two runs, and of an overloaded server, or a proxy before it. */
const UNTOUCHED: ReadonlySet<string> = new Set(['moving', 'busy', 'too_many_requests', 'http_429']);

/**
 * Returns the milliseconds before try `failures + 1`: doubling from 0.25 s to 15 s, at least `Retry-After`, and up to
 * a fifth less so that many clients do not return in step.
 */
export function pauseBeforeRetry(failures: number, error?: unknown): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  const own = full * (1 - Math.random() / 5);
  const wanted = error instanceof HoldpointError ? (error.retry_after_seconds ?? 0) * 1_000 : 0;
  return Math.max(own, wanted);
}

/**
 * Makes a call, and repeats it while failures are temporary and a repeat is safe. Throws the last error, or the
 * reason of an aborted signal.
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

export function mayRepeat(error: unknown, repeatable: Repeatable): boolean {
  if (error instanceof ConnectionError) {
    return repeatable === 'always' || error.delivered === 'no';
  }
  if (!(error instanceof HoldpointError) || error.status === undefined) return false;
  return repeatable === 'always' ? PASSING.has(error.status) : UNTOUCHED.has(error.code);
}

/** The client's timers, which tests replace; milliseconds. */
export interface Timers {
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Returns a signal that aborts after `ms`, to end a silent connection. */
  deadline(ms: number): AbortSignal;
  now(): number;
}

/** The longest delay that setTimeout takes. */
const LONGEST_MS = 2_147_483_647;

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
