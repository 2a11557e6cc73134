import type { PGlite } from '@electric-sql/pglite';

/** Parse, Bind, Describe, Execute, Close: more of the same request follows, up to its Sync. */
const UNFINISHED: ReadonlySet<number> = new Set(Buffer.from('PBDEC'));

/**
 * The database as the socket server must see it. That server shares one session among all
 * connections and keeps to one of them only while `isInTransaction()`; between the messages of one
 * parametrised query it would let another connection's through, whose statement then replaces the
 * first's. So a request that has begun counts as a transaction until it is complete.
 *
 * `onFatal` is told when the database itself fails, after which it answers nobody any more.
 */
export function undivided(db: PGlite, onFatal: (error: unknown) => void): PGlite {
  let unfinished = false;

  const execProtocolRawStream: PGlite['execProtocolRawStream'] = async (message, options) => {
    try {
      await db.execProtocolRawStream(message, options);
    } catch (error) {
      onFatal(error);
      throw error;
    }
    unfinished = UNFINISHED.has(message[0] ?? 0);
  };

  /** Called with ROLLBACK for a connection that went away. */
  const exec: PGlite['exec'] = async (query, options) => {
    unfinished = false;
    const results = await db.exec(query, options);
    // A failed request skips everything up to the Sync that ends `exec`, the first ROLLBACK too.
    return db.isInTransaction() ? db.exec(query, options) : results;
  };

  const overrides = new Map<string | symbol, unknown>([
    ['isInTransaction', () => unfinished || db.isInTransaction()],
    ['execProtocolRawStream', execProtocolRawStream],
    ['exec', exec],
  ]);
  return new Proxy(db, {
    get(target, name) {
      if (overrides.has(name)) return overrides.get(name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
