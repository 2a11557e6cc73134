import { failureOf, isPermanent } from '../../../store/failures.js';
import { inSpace } from '../../../store/in-space.js';
import type { Store } from '../../../store/schema.js';
import { RefusalError, refusalOf } from '../../errors.js';
import { READ_MS, limitOf, withinDeadline, type Clock } from '../calls/deadline.js';
import type { Part } from '../../../store/queries/bounded.js';
import type { Read } from '../caller.js';

/** Calls one of the store's queries with its arguments; failures are the driver's. */
export type RunQuery = <A extends readonly unknown[], T>(
  query: (db: Store, ...args: A) => Promise<T>,
  ...args: A
) => Promise<T>;

/**
 * Calls a query within 2 s. Throws RefusalError `store_unavailable` if the same call may succeed later, and the
 * driver's error if it would fail again: that is a defect, and a 500.
 */
export type FromStore = RunQuery;

/** Takes warnings about what went wrong; pino's loggers fit. */
export interface WarningLog {
  warn(fields: object, message: string): void;
}

export function queriesOf(db: Store): RunQuery {
  return (query, ...args) => query(db, ...args);
}

/** Returns the queries over one space, see `store/in-space.ts`. */
export function queriesIn(db: Store, space: string): RunQuery {
  return queriesOf(inSpace(db, space));
}

/** Bounds queries in time; each failure is logged, and is the cause of a refusal. */
export function createFromStore(run: RunQuery, clock: Clock, log: WarningLog): FromStore {
  return async (query, ...args) => {
    try {
      return await withinDeadline(clock, limitOf(clock, 'servers', READ_MS), () =>
        run(query, ...args),
      );
    } catch (error) {
      log.warn(failureOf(error), 'store read failed');
      if (isPermanent(error)) throw error;
      const detail = 'The store did not answer.';
      throw new RefusalError({ code: 'store_unavailable', detail }, { cause: error });
    }
  };
}

/** Returns what the store says, or undefined while it is away: a workflow that answers is then read as it is. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (refusalOf(error)?.code !== 'store_unavailable') throw error;
    return undefined;
  }
}

/** Reads the store once it shows the writes of this replica; `stale` if it does not within 2 s. */
export async function readAfter<T>(
  caughtUp: Promise<boolean>,
  read: () => Promise<T>,
): Promise<Read<T>> {
  const stale = !(await caughtUp);
  return { value: await read(), stale };
}

/** A page of the store as a list: rows are its value, and all else is kept. */
type ListedOf<P> = P extends Part<infer T> ? Omit<P, 'rows'> & Read<readonly T[]> : never;

/** Reads a page of a list in the same way. */
export async function listAfter<P extends Part<unknown>>(
  caughtUp: Promise<boolean>,
  read: () => Promise<P>,
): Promise<ListedOf<P>> {
  const { value, stale } = await readAfter(caughtUp, read);
  const { rows, ...rest } = value;
  return { ...rest, value: rows, stale } as unknown as ListedOf<P>;
}
