import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, chownSync, constants, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrateToLatest } from '../../store/migrate.js';
import { freePort } from '../../temporal-config/ports.js';

const HOST = '127.0.0.1';
const DEBIAN = '/usr/lib/postgresql';
const STARTS_WITHIN_MS = 120_000;
/** The oldest that Holdpoint is tested on. */
const OLDEST = 15;
/** Texts are ordered and folded as in the embedded store, whatever the locale of the machine. */
const LOCALE = process.platform === 'linux' ? '--locale=C.UTF-8' : '--lc-collate=C';

/** A PostgreSQL server of its own on loopback, whose data is gone when it is stopped. */
export interface PostgresServer {
  readonly url: string;
  /** Of the process that starts one for each connection. */
  readonly pid: () => number;
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again over the same data; resolves when it takes queries. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Makes a cluster in a temporary folder and serves it.
 *
 * @throws Error naming the ways, where no PostgreSQL is installed
 */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = binaries();
  const account = unprivileged();
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-postgres-'));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid ?? account.uid);
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', LOCALE, '--no-sync'];
  await promisify(execFile)(path.join(bin, 'initdb'), init, { ...account, cwd: folder });
  const port = await freePort(HOST);
  const url = `postgres://postgres@${HOST}:${port}/postgres`;
  const settings = [
    `listen_addresses=${HOST}`,
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    // What the machine itself loses if it fails is not worth a wait: the data goes with the server.
    'fsync=off',
    'max_connections=200',
  ];
  const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn(path.join(bin, 'postgres'), args, { ...account, cwd: folder, stdio: 'ignore' });
    await untilServing(url, server);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(server, 'exit');
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await ended;
  };
  process.once('exit', () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url,
    pid: () => server.pid ?? NaN,
    // Immediate shutdown: the whole group of processes ends, and recovery runs at the next start.
    kill: () => end('SIGQUIT'),
    restart: start,
    stop: async () => {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of a new enough `initdb` and `postgres`: on the PATH, or where Debian puts it. */
export function binaries(): string {
  const versions = readableNames(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const debian = versions.map((version) => path.join(DEBIAN, version, 'bin'));
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...debian];
  const found = folders.find((folder) => versionOf(path.join(folder, 'initdb')) >= OLDEST);
  if (found !== undefined) return found;
  throw new Error(
    `No PostgreSQL ${OLDEST} or later is installed: put initdb on the PATH, or install postgresql.`,
  );
}

function readableNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The major version of an `initdb`; NaN where there is none. */
function versionOf(file: string): number {
  try {
    accessSync(file, constants.X_OK);
    const said = execFileSync(file, ['--version'], { encoding: 'utf8' });
    return Number(/\) (\d+)/.exec(said)?.[1] ?? NaN);
  } catch {
    return NaN;
  }
}

/** PostgreSQL does not run as root; its own account does then. */
function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function untilServing(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** A database that tests have to themselves. */
export interface TestDatabase {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Names the PostgreSQL server of a run of tests; empty where the run wants embedded stores. */
export const RUN_SERVER = 'HOLDPOINT_TEST_POSTGRES';

/** Where it is not empty, the stores of tests are databases of this PostgreSQL server. */
export const SERVER_URL = process.env[RUN_SERVER] ?? process.env['DATABASE_URL'] ?? '';

const OWN = `holdpoint_test_${process.pid}_${randomUUID().slice(0, 4)}_`;
let template: Promise<string> | undefined;

/** A new database of the server, empty or with our tables; dropped when it is closed. */
export async function newDatabase(kind: 'empty' | 'migrated'): Promise<TestDatabase> {
  const from = kind === 'empty' ? 'template0' : await migratedTemplate();
  const name = `${OWN}${randomUUID().slice(0, 8)}`;
  await administer(`create database ${name} template ${from}`);
  const close = () => administer(`drop database ${name} with (force)`);
  return { url: urlOf(name), close };
}

/** The template that is made once. One that could not be made is made again for the next who asks. */
async function migratedTemplate(): Promise<string> {
  const making = (template ??= makeTemplate());
  try {
    return await making;
  } catch (error) {
    if (template === making) template = undefined;
    throw error;
  }
}

/** Makes the migrated database that the others of this process are copied from. */
async function makeTemplate(): Promise<string> {
  const name = `${OWN}template`;
  await administer(`create database ${name} template template0`);
  await migrateToLatest(urlOf(name));
  await leaveToTests(urlOf(name));
  return name;
}

/** Else the server looks at the values of a table whenever enough of them have changed, and plans queries in another way. */
async function leaveToTests(url: string): Promise<void> {
  const { rows } = await query<{ name: string }>(
    url,
    `select quote_ident(relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  const changes = rows.map(({ name }) => `alter table ${name} set (autovacuum_enabled = off)`);
  await query(url, changes.join(';'));
}

/** Drops it. */
export async function dropTemplate(): Promise<void> {
  if (template !== undefined) await administer(`drop database ${await template}`);
}

function urlOf(database: string): string {
  const url = new URL(SERVER_URL);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(statement: string): Promise<void> {
  await query(SERVER_URL, statement);
}

async function query<R extends pg.QueryResultRow>(
  url: string,
  statement: string,
): Promise<pg.QueryResult<R>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<R>(statement);
  } finally {
    await client.end();
  }
}
