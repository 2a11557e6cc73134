/** How long a supervised process that ended is left alone before it is started again; milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that lived this long counts as healthy: the next pause is the first one again. */
  readonly healthyMs: number;
}

export const BACKOFF: Backoff = { firstMs: 500, maxMs: 10_000, healthyMs: 30_000 };

/**
 * The pause before the next start: it doubles from `firstMs` up to `maxMs`.
 *
 * @param previousMs the pause before the start that has just ended; undefined for the first start
 * @param livedMs how long that process lived
 */
export function nextPause(
  previousMs: number | undefined,
  livedMs: number,
  { firstMs, maxMs, healthyMs }: Backoff,
): number {
  if (previousMs === undefined || livedMs >= healthyMs) return firstMs;
  return Math.min(previousMs * 2, maxMs);
}
