import type { Clock } from './clock.js';
import { DeadlinePassed, withinDeadline } from './deadline.js';
import type { FromStore } from './store-reads.js';

const CATCH_UP_MS = 2_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
/** Beyond so many the oldest is forgotten. */
const MOST = 10_000;
/** What a store that answers has not shown after this time it never will. */
const PATIENCE_MS = 30_000;

interface Awaited {
  readonly state: 'pending' | 'settled';
  readonly since: number;
}

/**
 * Keeps "every read after a 2xx sees that write" for lists of suspensions: what this replica opened or
 * settled, and the store does not show yet. Other replicas' writes show as soon as the store has them.
 */
export class Settlements {
  private readonly awaited = new Map<string, Awaited>();
  private readonly clock: Clock;
  private readonly fromStore: FromStore;

  constructor(clock: Clock, fromStore: FromStore) {
    this.clock = clock;
    this.fromStore = fromStore;
  }

  /** Remembers that a suspension was opened (`pending`) or settled. */
  touch(suspensionId: string, state: 'pending' | 'settled'): void {
    this.awaited.delete(suspensionId);
    this.awaited.set(suspensionId, { state, since: this.clock.now() });
    for (const oldest of this.awaited.keys()) {
      if (this.awaited.size <= MOST) break;
      this.awaited.delete(oldest);
    }
  }

  /** Waits, at most 2 s, until the store shows them all; false where it does not. Throws `store_unavailable`. */
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
      if (error instanceof DeadlinePassed) return false;
      throw error;
    }
  }

  private async isBehind(): Promise<boolean> {
    if (this.awaited.size === 0) return false;
    const asked = new Map(this.awaited);
    const wanted = new Map([...asked].map(([id, { state }]) => [id, state]));
    const missing = new Set(await this.fromStore((store) => store.notYet(wanted)));
    for (const [id, entry] of asked) {
      const isOver = !missing.has(id) || this.clock.now() - entry.since > PATIENCE_MS;
      // Where it was touched again meanwhile, that is still to be waited for.
      if (isOver && this.awaited.get(id) === entry) this.awaited.delete(id);
    }
    return this.awaited.size > 0;
  }
}
