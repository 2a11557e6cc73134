import type { Clock } from './clock.js';
import type { Scope } from './deadline.js';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Makes a call again, after pauses that grow, for as long as `passes` takes its failure for a passing
 * one and the scope lasts. Throws the first other failure.
 */
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

/** Looks again, after pauses that grow, until it is so; throws what `clock.sleep` does once `signal` is aborted. */
export async function untilSo(
  clock: Clock,
  signal: AbortSignal,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let pause = FIRST_LOOK_MS; !(await isSo()); pause = Math.min(pause * 2, LAST_LOOKS_MS)) {
    await clock.sleep(pause, signal);
  }
}
