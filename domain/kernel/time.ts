export const SECOND_MS = 1_000;

const NAMES_ITS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const MOST_CHARACTERS = 64;
const HAS_ITS_YEAR = /^(?!0000)\d{4}-/;

/** Returns an instant as ISO-8601 in UTC with milliseconds. All instants of Holdpoint have this form. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Parses an instant, as UTC if it has no zone. Returns NaN for other texts. */
function parsed(instant: string): number {
  return Date.parse(NAMES_ITS_ZONE.test(instant) ? instant : `${instant}Z`);
}

/** Returns the milliseconds of an ISO-8601 instant, in UTC without a zone. Throws a RangeError for other texts. */
export function toMillis(instant: string): number {
  const ms = parsed(instant);
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant: ${instant}`);
  return ms;
}

/** Converts an instant from outside into our form; undefined if it is invalid, or outside the years 1 to 9999. */
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

/** Whether `next` comes before the instant of the current timer, or there is no timer. */
export function isEarlier(next: string | undefined, armed: string | undefined): boolean {
  return next !== undefined && (armed === undefined || toMillis(next) < toMillis(armed));
}

/**
 * How many milliseconds a time zone is ahead of UTC at an instant (ms). Added to the instant, the UTC fields contain
 * the local time. Throws a RangeError for names that are no time zone.
 */
export function clockAhead(zone: string, at: number): number {
  // eslint-disable-next-line no-restricted-globals -- no workflow asks for it
  const form = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(form.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}
