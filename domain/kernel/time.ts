/** Milliseconds of a second. */
export const SECOND_MS = 1_000;

const NAMES_ITS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
/** No instant is longer. */
const MOST_CHARACTERS = 64;
const HAS_ITS_YEAR = /^(?!0000)\d{4}-/;

/** Returns an instant as ISO-8601 in UTC with milliseconds. All instants of Holdpoint have this form. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** An instant without a zone is in UTC. Returns NaN for other texts. */
function parsed(instant: string): number {
  return Date.parse(NAMES_ITS_ZONE.test(instant) ? instant : `${instant}Z`);
}

/** Returns the milliseconds of an ISO-8601 instant, in UTC without a zone. Throws a RangeError for other texts. */
export function toMillis(instant: string): number {
  const ms = parsed(instant);
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant: ${instant}`);
  return ms;
}

/** Reads an instant from outside into our form; undefined if it is none, or outside the years 1 to 9999. */
export function readInstant(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value.length <= MOST_CHARACTERS;
  const ms = isText ? parsed(value) : NaN;
  if (Number.isNaN(ms)) return undefined;
  const instant = toInstant(ms);
  return HAS_ITS_YEAR.test(instant) ? instant : undefined;
}

/** Returns the instant `seconds` later. Throws a RangeError if the result is no instant. */
export function plusSeconds(instant: string, seconds: number): string {
  return toInstant(toMillis(instant) + seconds * SECOND_MS);
}

/** Whether `next` comes before the instant for which a timer is set, or no timer is set. */
export function isEarlier(next: string | undefined, armed: string | undefined): boolean {
  return next !== undefined && (armed === undefined || toMillis(next) < toMillis(armed));
}
