import { WEEK_DAYS } from '../../contracts/constants/duration.js';
import type { QuietHours } from '../../contracts/people/noticing.js';
import { clockAhead } from '../kernel/time.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const MOST_STEPS = 20;

interface Local {
  readonly day: (typeof WEEK_DAYS)[number] | undefined;
  readonly minutes: number;
}

/**
 * Returns when the quiet time ends, in milliseconds; undefined if it is not quiet now, null if it never ends. Around
 * a clock change it may be an hour off. Pure.
 */
export function quietUntil(hours: QuietHours, now: number): number | null | undefined {
  let at = now;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const left = minutesLeft(hours, localAt(at, hours.time_zone));
    if (left === 0) return at === now ? undefined : at;
    // Also subtracts the seconds of the current minute.
    at = Math.floor(at / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
  }
  return null;
}

/** How many quiet minutes remain by local time; 0 if it is not quiet. */
function minutesLeft({ from, to, whole_days }: QuietHours, { day, minutes }: Local): number {
  if (whole_days.some((quiet) => quiet === day)) return DAY_MINUTES - minutes;
  const begins = minutesOf(from);
  const long = inDay(minutesOf(to) - begins);
  const gone = inDay(minutes - begins);
  return Math.max(0, long - gone);
}

function inDay(minutes: number): number {
  return (minutes + DAY_MINUTES) % DAY_MINUTES;
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

function localAt(ms: number, timeZone: string): Local {
  const local = new Date(ms + clockAhead(timeZone, ms));
  return {
    day: WEEK_DAYS[local.getUTCDay()],
    minutes: local.getUTCHours() * 60 + local.getUTCMinutes(),
  };
}
