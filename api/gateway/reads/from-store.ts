import type { Store } from '../../../store/schema.js';
import { RefusalError } from '../../errors.js';
import { READ_MS, withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';

/** Calls one of the store's queries with its arguments; failures are the driver's. */
export type RunQuery = <A extends readonly unknown[], T>(
  query: (db: Store, ...args: A) => Promise<T>,
  ...args: A
) => Promise<T>;

/** Calls a query within 2 s. Throws RefusalError `store_unavailable` where it fails. */
export type FromStore = RunQuery;

/** Where the gateway tells what went wrong; pino's loggers fit. */
export interface GatewayLog {
  warn(fields: object, message: string): void;
}

/** The queries over one database. */
export function queriesOf(db: Store): RunQuery {
  return (query, ...args) => query(db, ...args);
}

/** Bounds queries in time; the cause of each failure is logged and kept as the error's cause. */
export function createFromStore(run: RunQuery, clock: Clock, log: GatewayLog): FromStore {
  return async (query, ...args) => {
    try {
      return await withinDeadline(clock, READ_MS, () => run(query, ...args));
    } catch (error) {
      log.warn({ err: error }, 'store read failed');
      const detail = 'The store did not answer.';
      throw new RefusalError({ code: 'store_unavailable', detail }, { cause: error });
    }
  };
}
