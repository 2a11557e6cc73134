import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { isOfLock } from '../advisory-locks.js';
import type { Store } from '../schema.js';

/** About the duration of a commit. */
const COMMIT_MS = 5;

export interface FeedEnd {
  /** Every event with this number or a lower one is committed; no other event will get such a number. */
  readonly settled: number;
  /** Whether higher numbers were taken, which may be settled in a moment. */
  readonly pending: boolean;
}

/**
 * Finds how far the feed may be read: a number is taken before the commit, so a lower one may become visible after a
 * higher one. Numbers are settled once every transaction that was writing just after them has ended.
 */
export class FeedEndFinder {
  private readonly db: Store;
  private settled = 0;
  private candidate: { readonly taken: number; readonly writers: readonly string[] } | undefined;

  constructor(db: Store) {
    this.db = db;
  }

  /** Looks once, and never waits. */
  async look(): Promise<FeedEnd> {
    const taken = await lastTaken(this.db);
    // After a crash the server may issue numbers again that were never committed.
    if (taken < this.settled) {
      this.settled = 0;
      this.candidate = undefined;
    }
    if (taken > this.settled) await this.settle(taken);
    return { settled: this.settled, pending: taken > this.settled };
  }

  /** Waits until every number that was taken before the call is settled: as long as commits take. */
  async reach(): Promise<number> {
    const taken = await lastTaken(this.db);
    for (;;) {
      const { settled } = await this.look();
      if (settled >= taken) return settled;
      await pause(COMMIT_MS);
    }
  }

  private async settle(taken: number): Promise<void> {
    const writing = await writersNow(this.db);
    const waited = this.candidate ?? { taken, writers: writing };
    const writers = waited.writers.filter((writer) => writing.includes(writer));
    this.candidate = writers.length === 0 ? undefined : { ...waited, writers };
    if (writers.length === 0) this.settled = waited.taken;
  }
}

/** Returns the highest number that any writer took. */
export async function lastTaken(db: Store): Promise<number> {
  const { rows } = await sql<{ taken: string }>`
    select last_value as taken from feed_positions`.execute(db);
  return Number(rows[0]?.taken ?? 0);
}

async function writersNow(db: Store): Promise<readonly string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks where ${isOfLock('feed')}`.execute(db);
  return rows.map(({ writer }) => writer);
}

/** Returns a position in the feed that no event before this moment lies behind. */
export async function feedEnd(db: Store): Promise<number> {
  return new FeedEndFinder(db).reach();
}
