import { Kysely } from 'kysely';
import { createDialect } from './dialect.js';
import type { ConnectionOptions } from './dialect.js';
import type { Database, Store } from './schema.js';

/**
 * Opens the store at a `postgres://` URL; nothing is connected before the first query. A query throws
 * within 2 s where no server answers, and succeeds again once one does. Close with `destroy()`.
 */
export function openDatabase(url: string, options: ConnectionOptions = {}): Store {
  return new Kysely<Database>({ dialect: createDialect(url, options) });
}
