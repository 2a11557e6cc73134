import type { Alarm, Clock } from './clock.js';

/** The longest that a timer of Node waits (ms). */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of the machine (ms), for those who deal with others that have only that one. Nothing moves it. */
export class LiveClock implements Clock {
  readonly stands = false;
  private readonly order: (step: () => void) => void;
  private time = Date.now();
  private readonly alarms = new Map<Alarm, NodeJS.Timeout>();

  /** @param order - does something once nothing else is under way */
  constructor(order: (step: () => void) => void) {
    this.order = order;
  }

  get now(): number {
    return this.time;
  }

  get isSet(): boolean {
    return this.alarms.size > 0;
  }

  catchUp(): void {
    this.time = Math.max(this.time, Date.now());
  }

  at(instant: number, ring: () => void): () => void {
    const alarm = { at: instant, ring };
    this.wait(alarm);
    return () => this.forget(alarm);
  }

  private wait(alarm: Alarm): void {
    const wait = Math.min(Math.max(alarm.at - Date.now(), 0), LONGEST_MS);
    this.alarms.set(
      alarm,
      setTimeout(() => this.order(() => this.ring(alarm)), wait),
    );
  }

  private ring(alarm: Alarm): void {
    if (!this.alarms.has(alarm)) return;
    if (alarm.at > this.now) {
      this.wait(alarm);
      return;
    }
    this.alarms.delete(alarm);
    alarm.ring();
  }

  private forget(alarm: Alarm): void {
    clearTimeout(this.alarms.get(alarm));
    this.alarms.delete(alarm);
  }

  moveTowards(): boolean {
    return false;
  }

  close(): void {
    for (const timer of this.alarms.values()) clearTimeout(timer);
    this.alarms.clear();
  }
}
