import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedServer } from '../../store/embedded-server.js';
import { migrateToLatest } from '../../store/migrate.js';
import type { Store } from '../../store/schema.js';
import { cachedBuild } from './cached-builds.js';
import { openPatiently } from './patience.js';
import { newDatabase, SERVER_URL } from './postgres.js';
import type { TestDatabase } from './postgres.js';

/** A migrated store of its own. */
export interface TestStore extends TestDatabase {
  readonly db: Store;
}

/** Whether a store has our tables. */
type Kind = 'empty' | 'migrated';

const templates = new Map<Kind, Promise<string>>();

/** The data folder of an embedded store without rows; made once, for PGlite needs 5 s of CPU, then copied. */
export async function storeFolder(kind: Kind = 'migrated', dataDir?: string): Promise<string> {
  const target = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'holdpoint-store-')));
  const template =
    templates.get(kind) ??
    cachedBuild(`store-${kind}`, ['store', 'domain', 'contracts'], (folder) =>
      makeTemplate(folder, kind),
    );
  templates.set(kind, template);
  await mkdir(target, { recursive: true });
  // A thousand files: Node's own `cp` takes ten times as long.
  await promisify(execFile)('cp', ['-R', `${await template}/.`, target]);
  return target;
}

/** A fresh store: embedded, served by this process, or a database of the server in `DATABASE_URL`. */
export async function withStore(): Promise<TestStore> {
  const isEmbedded = SERVER_URL === '';
  const database = isEmbedded ? await serve(await storeFolder()) : await newDatabase('migrated');
  const db = openPatiently(database.url);
  const close = async (): Promise<void> => {
    await db.destroy();
    await database.close();
  };
  return { db, url: database.url, close };
}

/** Takes every row away, as if the store were new. */
export async function emptyStore({ db }: TestStore): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = current_schema() and tablename not like 'kysely%'`.execute(db);
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  await sql`truncate ${tables} restart identity cascade`.execute(db);
}

/** A fresh database without our tables. */
export async function withEmptyDatabase(): Promise<TestDatabase> {
  return SERVER_URL === '' ? serve(await storeFolder('empty')) : newDatabase('empty');
}

async function serve(dataDir: string): Promise<TestDatabase> {
  const server = await startEmbeddedServer({ dataDir });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, close };
}

async function makeTemplate(dataDir: string, kind: Kind): Promise<void> {
  const server = await startEmbeddedServer({ dataDir });
  if (kind === 'migrated') await migrateToLatest(server.url);
  await server.close();
}
