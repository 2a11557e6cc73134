import { toInstant, toMillis } from '../../domain/kernel/time.js';

/** The one clock of a whole, which only a command moves. */
export class Clock {
  /** Milliseconds since the epoch. */
  now = toMillis('2026-03-24T10:00:00.000Z');

  get at(): string {
    return toInstant(this.now);
  }

  pass(seconds: number): void {
    this.now += seconds * 1_000;
  }
}
