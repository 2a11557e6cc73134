import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder } from '../runtime/folder-lock.js';

export interface EmbeddedServerOptions {
  /** The folder is created if it is missing; only one server at a time may use it. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
}

export interface EmbeddedServer {
  readonly url: string;
  /** Ends connections and server once; later calls wait for the first. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 200;

/**
 * Serves the embedded database over PostgreSQL's protocol on loopback. Acknowledged writes survive the death of the
 * process. All connections share one session: an open transaction makes the others wait, and session locks exclude
 * nobody. A failure of the database ends the process. Throws `FolderInUseError`, or the socket's error
 * (`EADDRINUSE`).
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const lock = await lockFolder(options.dataDir);
  try {
    const db = await openFolder(path.join(options.dataDir, 'pg'));
    const server = new PGLiteSocketServer({
      db: keepRequestsWhole(db, endProcess),
      host: options.host ?? '127.0.0.1',
      port: options.port ?? 0,
      maxConnections: MAX_CONNECTIONS,
    });
    try {
      await server.start();
    } catch (error) {
      await db.close();
      throw error;
    }
    const stop = async (): Promise<void> => {
      await server.stop();
      await db.close();
      await lock.release();
    };
    let stopped: Promise<void> | undefined;
    const url = `postgres://postgres@${server.getServerConn()}/postgres`;
    return { url, close: () => (stopped ??= stop()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Creates a new database in another folder, and renames that once it is complete. */
async function openFolder(folder: string): Promise<PGlite> {
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    const db = await PGlite.create(unfinished);
    await db.close();
    await rename(unfinished, folder);
  }
  return PGlite.create(folder);
}

function endProcess(error: unknown): void {
  setImmediate(() => {
    throw new Error('the embedded database failed', { cause: error });
  });
}

/** Parse, Bind, Describe, Execute, Close: more of the same request follows, up to its Sync. */
const UNFINISHED: ReadonlySet<number> = new Set(Buffer.from('PBDEC'));
/** Flush: the client wants the reply to what it has sent, and continues the same request. */
const FLUSH = Buffer.from('H')[0];

/**
 * Makes each request a transaction for the socket server, whose messages go to the database together. That server
 * shares one session among all connections, and would otherwise mix the statements of two.
 *
 * `onFatal` is called when the database itself fails; it answers nobody after that.
 */
export function keepRequestsWhole(db: PGlite, onFatal: (error: unknown) => void): PGlite {
  let begun: Uint8Array[] = [];
  let isFlushed = false;

  const execProtocolRawStream: PGlite['execProtocolRawStream'] = async (message, options) => {
    const kind = message[0] ?? 0;
    begun.push(message);
    if (UNFINISHED.has(kind)) return;
    isFlushed = kind === FLUSH && (isFlushed || begun.length > 1);
    const request = begun.length === 1 ? message : Buffer.concat(begun);
    begun = [];
    try {
      await db.execProtocolRawStream(request, options);
    } catch (error) {
      onFatal(error);
      throw error;
    }
  };

  /** Called with ROLLBACK for a connection that went away. */
  const exec: PGlite['exec'] = async (query, options) => {
    begun = [];
    isFlushed = false;
    const results = await db.exec(query, options);
    // After a failed request everything up to the Sync of `exec` is skipped, so the first ROLLBACK is too.
    return db.isInTransaction() ? db.exec(query, options) : results;
  };

  const overrides = new Map<string | symbol, unknown>([
    ['isInTransaction', () => begun.length > 0 || isFlushed || db.isInTransaction()],
    ['execProtocolRawStream', execProtocolRawStream],
    ['exec', exec],
  ]);
  return new Proxy(db, {
    get(target, name) {
      if (overrides.has(name)) return overrides.get(name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const bound: unknown = value.bind(target);
      overrides.set(name, bound);
      return bound;
    },
  });
}
