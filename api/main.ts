import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { ApiKey } from '../contracts/config.js';
import { openDatabase } from '../store/database.js';
import { connectionOptions } from '../temporal-config/connection.js';
import { TemporalConfigError } from '../temporal-config/errors.js';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { traceOf } from './error-trace.js';
import { createGateway } from './gateway/index.js';
import { developmentKeys, loadKeys } from './keys.js';
import { hostOf, listenAsAsked } from './listen.js';
import { StartupError } from './startup-error.js';
import { storeReadsOf } from './store-reads.js';

/**
 * `npm run api`: serves the API until it is told to stop, and lets requests in flight end then.
 * Temporal and the store need not be there when it starts; `/ready` tells whether they are.
 */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const told = untilToldToStop();
  const config = loadConfig(env, process.cwd());
  const configured = loadKeys(env);
  const keys = configured ?? developmentKeys();
  const { connection: options, namespace } = connectionOptions(env);
  const db = openDatabase(databaseUrl(env));
  const connection = Connection.lazy({ ...options, interceptors: [] });
  const client = new Client({ connection, namespace });
  const log = pino({ serializers: { err: traceOf } });
  const store = storeReadsOf(db);
  const gateway = createGateway({ client, store, config, log, now: () => Date.now() });
  const app = createApp({ gateway, keys, config, log });
  const server = await listenAsAsked(app, hostOf(env, configured === undefined), env);
  if (configured === undefined) showKeys(keys);
  say(`Holdpoint API ready on ${server.url}`);
  await told;
  await server.close();
  await connection.close();
  await db.destroy();
}

/** Resolves on SIGTERM or SIGINT, or when the process that started this one is gone. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    process.once('disconnect', () => resolve());
  });
}

function databaseUrl(env: NodeJS.ProcessEnv): string {
  const url = env['DATABASE_URL'] ?? '';
  if (url !== '') return url;
  throw new StartupError('DATABASE_URL is not set: the API needs a PostgreSQL database.');
}

function showKeys(keys: readonly ApiKey[]): void {
  say('No HOLDPOINT_API_KEYS set; loopback only, with keys made for this start:');
  for (const { key, roles } of keys) say(`  ${roles.join(', ').padEnd(9)} ${key}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What is wrong with the settings or the surroundings needs no stack; a defect does. */
function explain(error: unknown): string {
  const known = error instanceof StartupError || error instanceof TemporalConfigError;
  if (known) return error.message.replace(/\s*\n\s*/g, ' ');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await main(process.env);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
