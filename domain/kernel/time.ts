const NAMES_ITS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const HAS_ITS_YEAR = /^(?!0000)\d{4}-/;

/** The instant `ms` milliseconds after the epoch, as ISO-8601 in UTC with milliseconds (AM-18). */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Milliseconds since the epoch of an ISO-8601 instant; one without a zone is UTC (AM-18).
 * Throws RangeError where the text is no instant.
 */
export function toMillis(instant: string): number {
  const ms = Date.parse(NAMES_ITS_ZONE.test(instant) ? instant : `${instant}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant: ${instant}`);
  return ms;
}

/** An instant from outside, as ours; undefined where it is none that the store can hold: years 1 to 9999. */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const instant = toInstant(toMillis(value));
    return HAS_ITS_YEAR.test(instant) ? instant : undefined;
  } catch {
    return undefined;
  }
}

/** The instant that lies `seconds` after another; throws RangeError where that is no instant. */
export function plusSeconds(instant: string, seconds: number): string {
  return toInstant(toMillis(instant) + seconds * 1000);
}

/** Whether `next` comes before what a timer is armed for, or nothing is armed yet. */
export function isEarlier(next: string | undefined, armed: string | undefined): boolean {
  return next !== undefined && (armed === undefined || toMillis(next) < toMillis(armed));
}
