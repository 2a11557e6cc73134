import { clockAhead } from '../../../domain/kernel/local-time.js';
import { toInstant } from '../../../domain/kernel/time.js';

const DAY_MS = 86_400_000;

/** The days from one to another (`2026-11-28`), both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day) => dayOf(first + day * DAY_MS));
}

/** The day `days` after another. */
export function dayAfter(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

/** The day that it is somewhere at an instant (ms). */
export function dayIn(zone: string, at: number): string {
  return dayOf(at + clockAhead(zone, at));
}

/** The instant with which a day begins somewhere. Where the clock is put forward at midnight, that is the first hour that there is. */
export function beginOf(day: string, zone: string): string {
  const midnight = Date.parse(day);
  const guess = midnight - clockAhead(zone, midnight);
  return toInstant(Math.max(guess, midnight - clockAhead(zone, guess)));
}

function dayOf(ms: number): string {
  return toInstant(ms).slice(0, 10);
}
