import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { storeTypes } from './column-values.js';
import type { Database, Store } from './schema.js';
import { batchIn } from './together.js';

export interface ConnectionOptions {
  /** The most connections that are open at the same time. */
  readonly max?: number;
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeoutMs?: number;
  /** The factor by which all waiting for the server may take longer than usual: for what runs once, at a start. */
  readonly patience?: number;
  /** Called for each connection that broke; the next query opens another. */
  readonly onConnectionLost?: (error: Error) => void;
}

const CONNECTION_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** How much longer the client waits than the server, in case the server does not answer at all. */
const GRACE_MS = 1_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * The dialect over a pool of connections, opened on first use. Without a server a query fails within 2 s;
 * with a server that hangs, 1 s after the statement timeout.
 */
export function createDialect(url: string, options: ConnectionOptions = {}): PostgresDialect {
  const { patience = 1, statementTimeoutMs = patience * STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: patience * CONNECTION_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + patience * GRACE_MS,
    idle_in_transaction_session_timeout: patience * IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: storeTypes,
  });
  // The pool handles errors of idle connections only; without this listener others would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error: Error) => options.onConnectionLost?.(error)),
  );
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool: discardBroken(pool) });
}

/**
 * Removes a connection from the pool if a statement failed on it without an error of the server: the
 * statement may still run later and leave a transaction open.
 */
function discardBroken(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => watched(await pool.connect()),
    end: () => pool.end(),
  };
}

function watched(client: pg.PoolClient): PostgresPoolClient {
  let broken: Error | undefined;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (broken !== undefined) throw broken;
    try {
      const batch = batchIn(parameters);
      return await (batch ? batch.run(client) : client.query(sql, [...parameters]));
    } catch (error) {
      if (error instanceof Error && !(error instanceof pg.DatabaseError)) broken = error;
      throw error;
    }
  };
  return {
    // The other form of `query` takes a cursor, which the store does not use.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken),
  };
}

/**
 * Opens the store at a `postgres://` URL; nothing is connected before the first query. A query throws
 * within 2 s if no server answers, and succeeds again once one does. Close with `destroy()`.
 */
export function openDatabase(url: string, options: ConnectionOptions = {}): Store {
  return new Kysely<Database>({ dialect: createDialect(url, options) });
}
