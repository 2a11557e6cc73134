import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../store/database.js';
import { startEmbeddedServer } from '../../store/embedded-server.js';
import type { EmbeddedServer } from '../../store/embedded-server.js';
import { migrateToLatest } from '../../store/migrate.js';

describe('migrations', () => {
  let dataDir = '';
  let server: EmbeddedServer;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'holdpoint-migrate-'));
    server = await startEmbeddedServer({ dataDir });
  });
  afterEach(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('run once when six processes start together', async () => {
    const starts = Array.from({ length: 6 }, () => migrateToLatest(server.url));
    assert.deepEqual((await Promise.all(starts)).flat(), ['0001-journal']);
    assert.deepEqual(await migrateToLatest(server.url), []);
    const db = openDatabase(server.url);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(rows, [{ name: '0001-journal' }]);
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    assert.deepEqual(tables, [
      'deliveries',
      'events',
      'intents',
      'suspension_timeline',
      'suspensions',
    ]);
    await db.destroy();
  });

  it('throw where no server answers', async () => {
    const { url } = server;
    await server.close();
    await assert.rejects(migrateToLatest(url));
  });
});
