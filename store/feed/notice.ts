import { sql } from 'kysely';
import type { Store } from '../schema.js';

/** The channel of `LISTEN` on which new events are announced. */
export const FEED_CHANNEL = 'holdpoint_feed';

interface Notice {
  /** Whether events were committed since the one under way was sent. */
  again: boolean;
}

const underWay = new WeakMap<Store, Notice>();

/**
 * Tells who listens that events were committed. Nothing waits for it, one is under way at a time, and
 * one that is lost only delays: listeners look by themselves too. It is no part of the transaction
 * because PostgreSQL lets only one transaction with a notice commit at a time.
 */
export function announceFeed(db: Store): void {
  const notice = underWay.get(db);
  if (notice === undefined) void announce(db);
  else notice.again = true;
}

async function announce(db: Store): Promise<void> {
  const notice: Notice = { again: true };
  underWay.set(db, notice);
  try {
    while (notice.again) {
      notice.again = false;
      await sql`select pg_notify(${FEED_CHANNEL}, '')`.execute(db);
    }
  } catch {
    // The store is away: who listens has lost its connection as well, and looks when it has another.
  } finally {
    underWay.delete(db);
  }
}
