import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { Store } from './schema.js';

/** The first number of every lock of Holdpoint. */
const CLASS = 1_212_370_020;

/** The second numbers. A function of the migration also takes the lock `feed`, by number. */
export const LOCKS = {
  /**
   * Shared by every transaction that takes numbers of the feed. Writers never wait for each other: it shows readers
   * that an event with a taken number may not be committed yet (docs/adr/0019).
   */
  feed: 1,
  /** Exclusive for the start of a session, so that no two count the same others. */
  sessions: 2,
  /** Exclusive for additions to the next checkpoint, which may wait for a signature elsewhere. */
  checkpoints: 3,
  /** Exclusive for a new edge of the graph, so that two edges cannot close a cycle together. */
  edges: 4,
  /** Exclusive for a view that somebody saves, so that no two get the same name. */
  views: 5,
} as const;

export type LockName = keyof typeof LOCKS;

/** Takes a lock exclusively until the transaction ends; waits for all other holders. */
export async function lockAlone(transaction: Store, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CLASS}::integer, ${LOCKS[name]}::integer)`.execute(
    transaction,
  );
}

/** Shares a lock until the transaction ends; waits for an exclusive holder. */
export async function lockShared(transaction: Store, name: LockName): Promise<void> {
  await transaction.executeQuery(sharedLock(transaction, name).compile());
}

export function sharedLock(db: Store, name: LockName): Compilable {
  const lock = sql`select pg_advisory_xact_lock_shared(${CLASS}::integer, ${LOCKS[name]}::integer)`;
  return { compile: () => lock.compile(db) };
}

/** Whether a row of `pg_locks` is about this lock in this database. */
export function isOfLock(name: LockName): RawBuilder<boolean> {
  return sql<boolean>`locktype = 'advisory' and objsubid = 2 and classid = ${CLASS} and objid = ${LOCKS[name]}
    and database = (select oid from pg_database where datname = current_database())`;
}
