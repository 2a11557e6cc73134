import type { Clock } from './clock.js';
import { DeadlinePassed, withinDeadline } from './deadline.js';

const CATCH_UP_MS = 2_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
/** Beyond so many the oldest is forgotten. */
const MOST = 10_000;
/** As many are looked for at once. */
const LOOKED_FOR = 500;

/** The versions that the store has of these ids. */
export type StoredVersions = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Keeps "every read after a 2xx sees that write" for lists of tasks or plans: the versions this replica
 * wrote that the store does not show yet.
 */
export class Versions {
  private readonly awaited = new Map<string, number>();
  private readonly clock: Clock;
  private readonly stored: StoredVersions;

  constructor(clock: Clock, stored: StoredVersions) {
    this.clock = clock;
    this.stored = stored;
  }

  /** Remembers what was written. */
  touch(id: string, version: number): void {
    this.awaited.delete(id);
    this.awaited.set(id, version);
    for (const oldest of this.awaited.keys()) {
      if (this.awaited.size <= MOST) break;
      this.awaited.delete(oldest);
    }
  }

  /** Waits, at most 2 s, until the store shows it all; false where it does not. Throws `store_unavailable`. */
  async catchUp(): Promise<boolean> {
    try {
      await withinDeadline(this.clock, CATCH_UP_MS, async ({ signal }) => {
        for (let pause = FIRST_PAUSE_MS; await this.isBehind();) {
          await this.clock.sleep(pause, signal);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        }
      });
      return true;
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      this.awaited.clear();
      return false;
    }
  }

  private async isBehind(): Promise<boolean> {
    const ids = [...this.awaited.keys()].slice(0, LOOKED_FOR);
    if (ids.length === 0) return false;
    const stored = await this.stored(ids);
    for (const id of ids) {
      if ((stored.get(id) ?? 0) >= (this.awaited.get(id) ?? 0)) this.awaited.delete(id);
    }
    return this.awaited.size > 0;
  }
}
