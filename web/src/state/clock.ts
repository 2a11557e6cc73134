import { createStore, useStore } from './store.js';

const SECOND_MS = 1_000;
/** The header of a reply has whole seconds and is a moment old, so a smaller difference means nothing. */
const TOLERATED_MS = 2_000;

let skewMs = 0;

/** Returns the time of the server in ms. Whether something has expired is judged by it alone. */
export function serverNow(): number {
  return Date.now() + skewMs;
}

/** Adopts the time of a reply, in ms, if the clock of this machine differs from it. */
export function noteServerTime(ms: number): void {
  const skew = ms - Date.now();
  skewMs = Math.abs(skew) > TOLERATED_MS ? skew : 0;
}

const seconds = createStore(serverNow(), () => {
  const tick = () => {
    seconds.set(Math.floor(serverNow() / SECOND_MS) * SECOND_MS);
  };
  tick();
  const timer = setInterval(tick, SECOND_MS);
  return () => {
    clearInterval(timer);
  };
});

/** Returns the time of the server in ms, and renders again each second. One timer serves the whole page. */
export function useNow(): number {
  return useStore(seconds);
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Writes a span of ms in its two largest units, such as `2 h 5 min`, or in seconds if it is shorter than a minute. */
export function spanOf(ms: number): string {
  let left = Math.max(0, Math.floor(ms / SECOND_MS));
  if (left < 60) return `${left} s`;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
  }
  return parts.join(' ');
}

/** Writes an instant in the time zone of this machine, without the day if it is today, and without the year if it is this year. */
export function atTime(instant: string, now = serverNow()): string {
  const date = new Date(instant);
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const today = new Date(now);
  const isToday = date.toDateString() === today.toDateString();
  const isThisYear = date.getFullYear() === today.getFullYear();
  return isToday
    ? date.toLocaleTimeString(undefined, time)
    : date.toLocaleString(undefined, {
        day: 'numeric',
        month: 'short',
        year: isThisYear ? undefined : 'numeric',
        ...time,
      });
}
