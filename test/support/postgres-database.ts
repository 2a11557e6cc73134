import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrateToLatest } from '../../store/migrate.js';

/** A database that tests have to themselves. */
export interface TestDatabase {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Where it is set, the stores of tests are databases of this PostgreSQL server. */
export const SERVER_URL = process.env['DATABASE_URL'] ?? '';

const OWN = `holdpoint_test_${process.pid}_`;
/** In the environment, for this module may be loaded twice in a process: by `require` and by `import`. */
const TEMPLATE = 'HOLDPOINT_TEST_TEMPLATE';

/** A new database of the server, empty or with our tables; dropped when it is closed. */
export async function newDatabase(kind: 'empty' | 'migrated'): Promise<TestDatabase> {
  const from = kind === 'empty' ? 'template0' : process.env[TEMPLATE];
  if (from === undefined) throw new Error('no template was made before the first test');
  const name = `${OWN}${randomUUID().slice(0, 8)}`;
  await administer(`create database ${name} template ${from}`);
  const close = () => administer(`drop database ${name} with (force)`);
  return { url: urlOf(name), close };
}

/** Makes the migrated database that the others are copied from. */
export async function makeTemplate(): Promise<void> {
  if (SERVER_URL === '') return;
  const name = `${OWN}template`;
  await administer(`create database ${name}`);
  await migrateToLatest(urlOf(name));
  process.env[TEMPLATE] = name;
}

/** Drops it. */
export async function dropTemplate(): Promise<void> {
  const name = process.env[TEMPLATE];
  if (name !== undefined) await administer(`drop database ${name}`);
}

function urlOf(database: string): string {
  const url = new URL(SERVER_URL);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
