import { sql } from 'kysely';
import type { Compilable, RawBuilder } from 'kysely';
import type { Store } from './schema.js';

/** The number of Holdpoint, under which each lock has one of its own. */
const CLASS = 1_212_370_020;

/** The advisory locks of a database. Functions of migrations take those of the feed and of counts by these numbers, too. */
export const LOCKS = {
  /**
   * Shared by every transaction that takes numbers of the feed. Writers never wait for each other; it only shows readers
   * that an event with a taken number may not be committed yet (docs/adr/0019).
   */
  feed: 1,
  /** Had alone by whoever counts again what waits for questions, shared by those who open one. */
  counts: 2,
  /** Of whoever begins a session: one at a time, so that no two count the same others. */
  sessions: 3,
  /** Of whoever adds to the checkpoint that comes next, which may take as long as a signature elsewhere. */
  checkpoints: 4,
} as const;

export type LockName = keyof typeof LOCKS;

/** Waits until nobody else has the lock, and has it until the transaction ends. */
export async function lockAlone(transaction: Store, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CLASS}::integer, ${LOCKS[name]}::integer)`.execute(
    transaction,
  );
}

/** Waits until nobody has the lock alone, and shares it until the transaction ends. */
export async function lockShared(transaction: Store, name: LockName): Promise<void> {
  await transaction.executeQuery(sharedLock(transaction, name).compile());
}

/** The statement that shares a lock. */
export function sharedLock(db: Store, name: LockName): Compilable {
  const lock = sql`select pg_advisory_xact_lock_shared(${CLASS}::integer, ${LOCKS[name]}::integer)`;
  return { compile: () => lock.compile(db) };
}

/** Rows of `pg_locks` of that lock, in this database. */
export function isOfLock(name: LockName): RawBuilder<boolean> {
  return sql<boolean>`locktype = 'advisory' and objsubid = 2 and classid = ${CLASS} and objid = ${LOCKS[name]}
    and database = (select oid from pg_database where datname = current_database())`;
}
