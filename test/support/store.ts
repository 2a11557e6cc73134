import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../store/database.js';
import { startEmbeddedServer } from '../../store/embedded-server.js';
import { migrateToLatest } from '../../store/migrate.js';
import type { Store } from '../../store/schema.js';

/** A migrated store of its own on a loopback socket. */
export interface TestStore {
  readonly db: Store;
  readonly url: string;
  /** Ends the connections and the server, and removes the folder. */
  close(): Promise<void>;
}

let template: Promise<string> | undefined;

/** The data folder of a migrated, empty store; made anew once per process, copied after that. */
export async function storeFolder(): Promise<string> {
  const dataDir = await makeFolder();
  template ??= makeTemplate();
  await cp(await template, dataDir, { recursive: true });
  return dataDir;
}

/** A fresh embedded store, served by this process. */
export async function withStore(): Promise<TestStore> {
  const dataDir = await storeFolder();
  const server = await startEmbeddedServer({ dataDir });
  const db = openDatabase(server.url);
  const close = async (): Promise<void> => {
    await db.destroy();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { db, url: server.url, close };
}

async function makeTemplate(): Promise<string> {
  const dataDir = await makeFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startEmbeddedServer({ dataDir });
  await migrateToLatest(server.url);
  await server.close();
  return dataDir;
}

function makeFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'holdpoint-store-'));
}
