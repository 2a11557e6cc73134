import { setTimeout as delay } from 'node:timers/promises';

/** Time as the gateway uses it, so that tests can hold it still. Milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason (or an AbortError) once it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of the process; `now` gives milliseconds since the epoch. */
export function systemClock(now: () => number): Clock {
  return { now, sleep: (ms, signal) => delay(ms, undefined, { signal }) };
}
