import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds; a look at a server costs it and us as much time again. */
const BETWEEN_LOOKS = 5;
/** Milliseconds: within what mocha gives a test, for otherwise nobody learns what has not happened. */
const MOST_TIME = 180_000;

/**
 * Looks until there is something to see, and returns it.
 *
 * @param look - resolves with undefined, or false, while there is not
 * @param otherwise - what has not happened, for the error
 * @throws Error after three minutes, which what happens takes only where others keep the machine busy
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined | false>,
  otherwise: string | (() => string),
): Promise<T> {
  const began = performance.now();
  while (performance.now() - began < MOST_TIME) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(BETWEEN_LOOKS);
  }
  throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
}
