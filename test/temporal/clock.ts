/** What happens at an instant (ms). */
export interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** What tells the time (ms), and rings at its instants. */
export interface Clock {
  readonly now: number;
  /** Whether it stands until somebody moves it. */
  readonly stands: boolean;
  /** Whether it will ring. */
  readonly isSet: boolean;
  /** Called before each step, for all of a step happens at one instant. */
  catchUp(): void;
  /** Rings at an instant; the function that it returns takes the alarm away. */
  at(instant: number, ring: () => void): () => void;
  /** Moves to the next alarm and rings it, or to `limit` if none rings until then; false in that case. */
  moveTowards(limit: number): boolean;
  /** No alarm rings any more. */
  close(): void;
}

/** A clock (ms) that stands until somebody moves it. Its alarms ring in the order of their instants, and at one instant in the order in which they were set. */
export class StandingClock implements Clock {
  readonly stands = true;
  private time: number;
  private readonly alarms: Alarm[] = [];

  constructor(time: number) {
    this.time = time;
  }

  get now(): number {
    return this.time;
  }

  get isSet(): boolean {
    return this.alarms.length > 0;
  }

  catchUp(): void {
    // It stands.
  }

  at(instant: number, ring: () => void): () => void {
    const alarm = { at: instant, ring };
    const place = this.alarms.findIndex(({ at }) => at > instant);
    this.alarms.splice(place < 0 ? this.alarms.length : place, 0, alarm);
    return () => {
      const index = this.alarms.indexOf(alarm);
      if (index >= 0) this.alarms.splice(index, 1);
    };
  }

  moveTowards(limit: number): boolean {
    const [next] = this.alarms;
    if (!next || next.at > limit) {
      this.time = Math.max(this.time, limit);
      return false;
    }
    this.alarms.shift();
    this.time = Math.max(this.time, next.at);
    next.ring();
    return true;
  }

  close(): void {
    this.alarms.length = 0;
  }
}
