/**
 * Writes the API reference as one HTML page. Usage: `npm run docs:api [-- <file>]`; the page goes to
 * `dist/api.html` unless a file is named. Neither Temporal nor a store has to be there.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { serverConfigSchema } from '../../contracts/config.js';
import { developmentKeys } from '../../runtime/api-keys.js';
import { runMain } from '../../runtime/program.js';
import { openDatabase } from '../../store/database.js';
import { FeedHub } from '../../store/feed/hub.js';
import { feedSourceOf } from '../../store/feed/source.js';
import { createApp } from '../app.js';
import { createGateway } from '../gateway/index.js';
import { queriesOf } from '../gateway/reads/from-store.js';
import { startServer } from '../server.js';
import { renderReference } from './reference.js';
import type { ApiDocument } from './reference.js';

const NOWHERE = 'postgres://127.0.0.1:1/none';

/** The document as a server gives it out; what the server would ask is connected lazily, so never. */
async function readDocument(): Promise<ApiDocument> {
  const client = new Client({ connection: Connection.lazy() });
  const db = openDatabase(NOWHERE);
  const config = serverConfigSchema.parse({});
  const log = pino({ level: 'silent' });
  const now = () => Date.now();
  const gateway = createGateway({ client, store: queriesOf(db), config, log, now });
  const feed = new FeedHub(feedSourceOf(db, NOWHERE), log);
  const app = createApp({ gateway, feed, keys: developmentKeys(), config, log });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  try {
    const reply = await fetch(`${server.url}/v1/openapi.json`);
    return (await reply.json()) as ApiDocument;
  } finally {
    await server.close();
    await db.destroy();
  }
}

await runMain(async () => {
  const file = path.resolve(process.argv[2] ?? 'dist/api.html');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, renderReference(await readDocument()));
  process.stdout.write(`${file}\n`);
});
