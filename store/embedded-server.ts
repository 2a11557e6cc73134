import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder } from './folder-lock.js';
import { undivided } from './undivided.js';

export interface EmbeddedServerOptions {
  /** Created where missing; only one server at a time may use it. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
}

export interface EmbeddedServer {
  readonly url: string;
  /** Ends connections and server, once; a later call waits for the first. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 200;

/**
 * Serves the embedded database over PostgreSQL's protocol on a loopback socket. What was acknowledged
 * survives the death of the process. All connections share one session: an open transaction makes the
 * others wait, and session locks do not exclude anybody. Should the database itself fail, the process
 * ends by an uncaught error, to be started again.
 * Throws `FolderInUseError`, or the socket's error (`EADDRINUSE`).
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const lock = await lockFolder(options.dataDir);
  try {
    const db = await openFolder(path.join(options.dataDir, 'pg'));
    const server = new PGLiteSocketServer({
      db: undivided(db, endProcess),
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

/** A new database is made beside its place and moved there when complete. */
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
