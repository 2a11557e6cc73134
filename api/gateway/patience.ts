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
