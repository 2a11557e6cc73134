import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the first looks. A look costs as much again, so they become rarer. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
const RARER = 1.25;
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
  let between = FIRST_PAUSE;
  while (performance.now() - began < MOST_TIME) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(between);
    between = Math.min(between * RARER, LONGEST_PAUSE);
  }
  throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
}
