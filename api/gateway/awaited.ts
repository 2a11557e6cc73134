import type { Clock } from './clock.js';
import { DeadlinePassed, withinDeadline } from './deadline.js';
import { untilSo } from './patience.js';

const CATCH_UP_MS = 2_000;
/** Beyond so many the oldest is forgotten. */
const MOST = 10_000;
/** What a store that answers has not shown after this time it never will. */
const PATIENCE_MS = 30_000;

interface Entry<T> {
  readonly wanted: T;
  readonly since: number;
}

/** Which of these ids the store does not show yet as it is wanted. */
export type Missing<T> = (wanted: ReadonlyMap<string, T>) => Promise<readonly string[]>;

/**
 * Keeps "every read after a 2xx sees that write" for lists: what this replica wrote, and the store does not
 * show yet. Other replicas' writes show as soon as the store has them.
 */
export class Awaited<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly clock: Clock;
  private readonly missing: Missing<T>;

  constructor(clock: Clock, missing: Missing<T>) {
    this.clock = clock;
    this.missing = missing;
  }

  /** Remembers how the store is to show something. */
  touch(id: string, wanted: T): void {
    this.entries.delete(id);
    this.entries.set(id, { wanted, since: this.clock.now() });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST) break;
      this.entries.delete(oldest);
    }
  }

  /** Waits, at most 2 s, until the store shows it all; false where it does not. Throws `store_unavailable`. */
  async catchUp(): Promise<boolean> {
    try {
      await withinDeadline(this.clock, CATCH_UP_MS, ({ signal }) =>
        untilSo(this.clock, signal, () => this.isShown()),
      );
      return true;
    } catch (error) {
      if (error instanceof DeadlinePassed) return false;
      throw error;
    }
  }

  private async isShown(): Promise<boolean> {
    if (this.entries.size === 0) return true;
    const asked = new Map(this.entries);
    const wanted = new Map([...asked].map(([id, entry]) => [id, entry.wanted]));
    const missing = new Set(await this.missing(wanted));
    for (const [id, entry] of asked) {
      const isOver = !missing.has(id) || this.clock.now() - entry.since > PATIENCE_MS;
      // Where it was touched again meanwhile, that is still to be waited for.
      if (isOver && this.entries.get(id) === entry) this.entries.delete(id);
    }
    return this.entries.size === 0;
  }
}
