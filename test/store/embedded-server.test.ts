import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import PQueue from 'p-queue';
import pg from 'pg';
import { startEmbeddedServer, type EmbeddedServer } from '../../store/embedded-server.js';
import { FolderInUseError } from '../../runtime/folder-lock.js';
import { writeRows } from '../../store/journal-writer.js';
import { lastSequences, listEvents } from '../../store/queries/event-log.js';
import { findIntent } from '../../store/queries/intent.js';
import type { Store } from '../../store/schema.js';
import { openPatiently } from '../support/patience.js';
import { storeFolder } from '../support/store.js';
import { startChildServer } from './child-server.js';
import { anEvent, anIntent } from './rows.js';

const ID = randomUUID();

/** The first message of a request, whose Sync never comes. */
function parseMessage(query: string): Buffer {
  const body = Buffer.from(`\0${query}\0\0\0`);
  const head = Buffer.from('P\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Asks for the reply to what was sent so far. */
const FLUSH = Buffer.from('H\0\0\0\x04');

/** Ten of a kind at a time: as many as a pool has connections, for nothing waits longer than 2 s for one. */
async function inLanes(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  const lanes = new PQueue({ concurrency: 10 });
  await lanes.addAll(Array.from({ length: count }, (_, i) => () => work(i)));
}

describe('embedded server', () => {
  let dataDir = '';
  let server: EmbeddedServer;
  const stores: Store[] = [];
  const open = (url: string): Store => {
    const db = openPatiently(url);
    stores.push(db);
    return db;
  };

  before(async () => {
    dataDir = await storeFolder();
    server = await startEmbeddedServer({ dataDir });
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((db) => db.destroy()));
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes 100 writes from two pools at once', async () => {
    const intentId = randomUUID();
    const pools = [open(server.url), open(server.url)] as const;
    await inLanes(100, (i) =>
      writeRows(pools[i % 2 === 0 ? 0 : 1], [
        { kind: 'event', event: anEvent({ intent_id: intentId, sequence: i + 1 }) },
      ]),
    );
    const events = (await listEvents(pools[0], intentId, { limit: 200, offset: 0 })).rows;
    assert.equal(events.length, 100);
  });

  it('keeps the queries of different connections apart', async () => {
    const db = open(server.url);
    const { id } = anIntent();
    const mixed = async (i: number): Promise<void> => {
      const { rows } = await sql<{ i: number; text: string }>`
        select ${i}::int as i, ${`text ${i}`}::text as text`.execute(db);
      assert.deepEqual(rows, [{ i, text: `text ${i}` }]);
      await assert.rejects(sql`select 1 / ${0}::int`.execute(db), /division by zero/);
      const large = { filler: 'x'.repeat(i % 3 === 0 ? 100_000 : 1) };
      const event = anEvent({ intent_id: id, sequence: i + 1, payload: large });
      await writeRows(db, [{ kind: 'event', event }]);
      assert.equal(await findIntent(db, id), undefined);
    };
    await inLanes(60, mixed);
    const stored = (await listEvents(db, id, { limit: 100, offset: 0 })).rows;
    assert.equal(stored.length, 60);
  });

  it('frees the others when a client dies in a failed request', async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('begin');
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const refused = new Promise((resolve) => client.on('error', resolve));
    stream.write(Buffer.concat([parseMessage('nonsense'), FLUSH]));
    await refused;
    const db = open(server.url);
    const waiting = lastSequences(db, [ID]);
    stream.destroy();
    assert.equal((await waiting).get(ID), 0);
  });

  it('refuses a second server on the same folder', async () => {
    await assert.rejects(startEmbeddedServer({ dataDir }), FolderInUseError);
    assert.equal((await lastSequences(open(server.url), [ID])).get(ID), 0);
  });

  it('gives up the folder where its port is taken', async () => {
    const other = await storeFolder();
    const port = Number(new URL(server.url).port);
    await assert.rejects(startEmbeddedServer({ dataDir: other, port }), { code: 'EADDRINUSE' });
    await (await startEmbeddedServer({ dataDir: other })).close();
    await rm(other, { recursive: true, force: true });
  });
});

describe('embedded server in a new folder', () => {
  it('starts over where its making was interrupted', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'holdpoint-new-'));
    await mkdir(path.join(dataDir, 'pg.new'));
    await writeFile(path.join(dataDir, 'pg.new', 'PG_VERSION'), '18\n');
    const server = await startEmbeddedServer({ dataDir });
    const db = openPatiently(server.url);
    assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }]);
    await db.destroy();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('embedded server that is killed', () => {
  it('loses no acknowledged row and opens again', async () => {
    const dataDir = await storeFolder();
    const child = await startChildServer(dataDir);
    const pools = [openPatiently(child.url), openPatiently(child.url)] as const;
    const intentId = randomUUID();
    const acknowledged: number[] = [];
    let killed: Promise<void> | undefined;
    const write = async (sequence: number): Promise<void> => {
      const event = anEvent({ intent_id: intentId, sequence });
      await writeRows(pools[sequence % 2 === 0 ? 0 : 1], [{ kind: 'event', event }]);
      acknowledged.push(sequence);
      if (acknowledged.length === 20) killed = child.kill();
    };
    const results = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => write(i + 1)));
    assert.ok(killed, `only ${acknowledged.length} writes were acknowledged`);
    await killed;
    await Promise.all(pools.map((db) => db.destroy()));
    const failed = results.filter(({ status }) => status === 'rejected').length;
    assert.ok(failed > 0, 'the server was killed while writes were under way');

    const server = await startEmbeddedServer({ dataDir });
    const db = openPatiently(server.url);
    const events = (await listEvents(db, intentId, { limit: 300, offset: 0 })).rows;
    const stored = new Set(events.map(({ sequence }) => sequence));
    assert.deepEqual(
      acknowledged.filter((sequence) => !stored.has(sequence)),
      [],
    );
    await db.destroy();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});
