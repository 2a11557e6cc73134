import { setTimeout as pause } from 'node:timers/promises';

const LOOKS = 6_000;
/** Milliseconds; a look at a server costs it and us as much time again. */
const BETWEEN_LOOKS = 5;
/** Milliseconds: within what mocha gives a test, for otherwise nobody learns what has not happened. */
const MOST_TIME = 90_000;

/**
 * Looks until there is something to see, and returns it.
 *
 * @param look - resolves with undefined, or false, while there is not
 * @param otherwise - what has not happened, for the error
 * @throws Error after half a minute of looks, or one and a half where looks are slow
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined | false>,
  otherwise: string | (() => string),
): Promise<T> {
  const began = performance.now();
  for (let looks = 0; looks < LOOKS && performance.now() - began < MOST_TIME; looks += 1) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(BETWEEN_LOOKS);
  }
  throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
}
