const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * The longest pause between two tries of one delivery, in milliseconds: a tenth of its window, so that
 * the last try is late in it, within 5 seconds and 10 minutes; an hour where the window has no end.
 */
export function longestPauseMs(windowMs: number | undefined): number {
  if (windowMs === undefined) return 60 * MINUTE_MS;
  return Math.min(Math.max(Math.floor(windowMs / 10), 5 * SECOND_MS), 10 * MINUTE_MS);
}
