import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { after, afterEach, before } from 'mocha';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedServer } from '../../store/embedded-server.js';
import { migrateToLatest } from '../../store/migrate.js';
import type { Store } from '../../store/schema.js';
import { cachedBuild } from './cached-builds.js';
import { openPatiently } from './patience.js';
import { SERVER_URL, newDatabase, type TestDatabase } from './postgres.js';
import { ServerPool } from './server-pool.js';

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

/** A database and what its schema was like when it was new. */
interface Pooled extends TestDatabase {
  readonly shape: string;
}

/** To open a store costs twenty times what it costs to empty one, so the next user gets it. */
const databases = new ServerPool<Pooled>({
  start: async () => {
    const database = await newStore();
    const shape = await withDatabase(database, shapeOf);
    return { ...database, shape };
  },
  clean: async (database) =>
    withDatabase(database, async (db) => {
      // The embedded store has one session, which all its users share.
      await sql`discard all`.execute(db);
      if ((await shapeOf(db)) !== database.shape) return false;
      await emptyStore({ db });
      return true;
    }),
  stop: ({ close }) => close(),
});

/** A store without rows: embedded, served by this process, or a database of the server in `DATABASE_URL`. */
export async function withStore(): Promise<TestStore> {
  const database = await databases.take();
  const db = openPatiently(database.url);
  const close = async (): Promise<void> => {
    await db.destroy();
    await databases.giveBack(database);
  };
  return { db, url: database.url, close };
}

/**
 * Gives all tests of a suite one store.
 *
 * @param rows - whether what a test writes is there for the next one
 */
export function useStore(rows: 'kept' | 'emptied' = 'kept'): TestStore {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  if (rows === 'emptied') afterEach(() => emptyStore(store));
  after(() => store.close());
  return {
    get db() {
      return store.db;
    },
    get url() {
      return store.url;
    },
    close: () => store.close(),
  };
}

async function newStore(): Promise<TestDatabase> {
  return SERVER_URL === '' ? serve(await storeFolder()) : newDatabase('migrated');
}

async function withDatabase<T>({ url }: TestDatabase, use: (db: Store) => Promise<T>): Promise<T> {
  const db = openPatiently(url);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/**
 * All that a test can change besides rows: tables, indexes, triggers, functions, what is known of the values in
 * a column, and which migrations were run.
 */
async function shapeOf(db: Store): Promise<string> {
  const { rows } = await sql<{ shape: string }>`
    select md5(string_agg(part, ' ' order by part)) as shape from (
      select concat_ws(' ', c.relname, c.relkind, a.attname, a.atttypid, a.attnum, a.attnotnull,
          a.attisdropped) as part
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace
      union all
      select concat_ws(' ', 'check', conname, convalidated)
        from pg_constraint where connamespace = current_schema()::regnamespace
      union all
      select concat_ws(' ', 'trigger', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
      union all
      select concat_ws(' ', 'function', oid::regprocedure, md5(prosrc))
        from pg_proc where pronamespace = current_schema()::regnamespace
      union all
      select concat_ws(' ', 'values', s.starelid::regclass, s.staattnum)
        from pg_statistic s join pg_class c on c.oid = s.starelid
        where c.relnamespace = current_schema()::regnamespace
      union all
      select concat_ws(' ', 'migration', name) from kysely_migration
    ) parts`.execute(db);
  return rows[0]?.shape ?? '';
}

/** Takes every row away. A table that nothing was written to has no size. Positions in the feed are not given twice. */
export async function emptyStore({ db }: Pick<TestStore, 'db'>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname not like 'kysely%' and pg_relation_size(oid) > 0`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  await sql`truncate ${tables} cascade`.execute(db);
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
