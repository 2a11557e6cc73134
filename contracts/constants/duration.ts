import { LIMITS } from './limits.js';

export const DURATION_FORMS = "'90s', '15m', '1h30m' or '2d', and at most 100 years";

const NUMBER = /^\d{1,10}$/;
const UNITS = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const SECONDS_OF_UNIT = [86_400, 3_600, 60, 1] as const;

/**
 * Reads a duration: days, hours, minutes and seconds, each at most once and the largest first, such as `90s`, `15m`,
 * `1h30m` or `2d`. A number alone counts seconds.
 *
 * @returns whole seconds, from 1 to a hundred years; undefined for everything else
 */
export function secondsOf(text: string): number | undefined {
  const seconds = NUMBER.test(text) ? Number(text) : sumOf(UNITS.exec(text) ?? []);
  return seconds >= 1 && seconds <= LIMITS.windowSeconds ? seconds : undefined;
}

function sumOf([, ...counts]: readonly (string | undefined)[]): number {
  return SECONDS_OF_UNIT.reduce((sum, each, at) => sum + each * Number(counts[at] ?? 0), 0);
}

/** Writes whole seconds as `secondsOf` reads them: 5400 is `1h30m`. */
export function durationOf(seconds: number): string {
  let left = seconds;
  const parts = SECONDS_OF_UNIT.map((each, at) => {
    const count = Math.floor(left / each);
    left -= count * each;
    return count === 0 ? '' : `${count}${'dhms'[at] ?? ''}`;
  });
  return parts.join('');
}

export const WEEK_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export const NEXT_REMINDER = 'next_reminder';
