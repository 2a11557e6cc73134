import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../schema.js';

/** The advisory lock that every transaction holds which takes numbers of the feed. */
const LOCK = { classid: 1_212_370_020, objid: 1 } as const;

/**
 * Lets a transaction take numbers of the feed. No writer waits for another: the lock is shared, and
 * only tells a reader that a number may still be on its way (docs/adr/0019).
 */
export async function enterFeed(transaction: Store): Promise<void> {
  const { classid, objid } = LOCK;
  await sql`select pg_advisory_xact_lock_shared(${classid}::integer, ${objid}::integer)`.execute(
    transaction,
  );
}

/** About as long as a commit takes. */
const COMMIT_MS = 5;

/** How far the feed may be read. */
export interface FeedEnd {
  /** No event that is not there yet will get this number or a lower one. */
  readonly settled: number;
  /** Whether higher ones were taken; those may be settled in a moment. */
  readonly pending: boolean;
}

/**
 * Finds how far the feed may be read. A number is taken before its event is committed, so a low one
 * may appear after a high one; what was taken when somebody looked is settled once each transaction
 * that was writing just after that has ended. Numbers taken later do not delay it.
 */
export class FeedEndFinder {
  private readonly db: Store;
  private settled = 0;
  /** The numbers that are waited for, and whom they may belong to. */
  private candidate: { readonly taken: number; readonly writers: readonly string[] } | undefined;

  constructor(db: Store) {
    this.db = db;
  }

  /** Looks once, and never waits. */
  async look(): Promise<FeedEnd> {
    const taken = await lastTaken(this.db);
    // After a crash the server gives numbers again that nobody had committed.
    if (taken < this.settled) {
      this.settled = 0;
      this.candidate = undefined;
    }
    if (taken > this.settled) await this.settle(taken);
    return { settled: this.settled, pending: taken > this.settled };
  }

  /** Looks until all is settled that was taken when it was called: for as long as commits take. */
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

/** The highest number that a writer ever took. */
export async function lastTaken(db: Store): Promise<number> {
  const { rows } = await sql<{
    taken: string;
  }>`select last_value as taken from feed_positions`.execute(db);
  return Number(rows[0]?.taken ?? 0);
}

async function writersNow(db: Store): Promise<readonly string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid = ${LOCK.classid} and objid = ${LOCK.objid}
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
}

/** A position in the feed that no event before this moment lies behind. */
export async function feedEnd(db: Store): Promise<number> {
  return new FeedEndFinder(db).reach();
}
