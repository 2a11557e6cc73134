import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../store/database.js';
import { startEmbeddedServer } from '../../store/embedded-server.js';
import { writeRows } from '../../store/journal-writer.js';
import { lastSequences } from '../../store/queries/event-log.js';
import { lookUntil } from '../support/looks.js';
import { PATIENCE, openPatiently } from '../support/patience.js';
import { storeFolder, withStore } from '../support/store.js';
import { startChildServer } from './child-server.js';
import { anEvent } from './rows.js';

const ID = randomUUID();
const oneEvent = () => [{ kind: 'event' as const, event: anEvent() }];

describe('database', () => {
  let dataDir = '';
  beforeEach(async () => {
    dataDir = await storeFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('fails without a server, works once there is one', async () => {
    const first = await startEmbeddedServer({ dataDir });
    const port = Number(new URL(first.url).port);
    const db = openPatiently(first.url);
    assert.equal((await lastSequences(db, [ID])).get(ID), 0);
    await first.close();

    const refused = { code: 'ECONNREFUSED' };
    await assert.rejects(lastSequences(db, [ID]), refused);
    await assert.rejects(writeRows(db, oneEvent()), refused);

    const second = await startEmbeddedServer({ dataDir, port });
    await writeRows(db, oneEvent());
    await db.destroy();
    await second.close();
  });

  it('outlives a server that dies inside a transaction', async () => {
    const child = await startChildServer(dataDir);
    const port = Number(new URL(child.url).port);
    const lost: Error[] = [];
    const onConnectionLost = (error: Error) => lost.push(error);
    const db = openDatabase(child.url, { patience: PATIENCE, onConnectionLost });
    const interrupted = db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await child.kill();
      await sql`select 2`.execute(transaction);
    });
    await assert.rejects(interrupted, /connection/i);
    assert.ok(lost.length > 0);

    const server = await startEmbeddedServer({ dataDir, port });
    await writeRows(db, oneEvent());
    await db.destroy();
    await server.close();
  });

  it('leaves nothing open behind a statement given up on', async () => {
    const child = await startChildServer(dataDir);
    const impatient = openDatabase(child.url, { statementTimeoutMs: 2_000 });
    const writes = () =>
      writeRows(impatient, oneEvent()).then(
        () => true,
        () => false,
      );
    // A server that has just begun may be slow.
    await lookUntil(writes, 'nothing is written in 2 s');
    child.signal('SIGSTOP');
    await assert.rejects(writeRows(impatient, oneEvent()), /timeout/);
    child.signal('SIGCONT');
    const other = openPatiently(child.url);
    await writeRows(other, oneEvent());
    await lookUntil(writes, 'nothing is written in 2 s any more');
    await Promise.all([impatient.destroy(), other.destroy()]);
    await child.kill();
  });
});

it('a database reads instants as ISO strings with milliseconds', async () => {
  const { db, close } = await withStore();
  const { rows } = await sql`
    select '2026-03-29T02:30:00+02:00'::timestamptz as at, 'null'::jsonb as none`.execute(db);
  assert.deepEqual(rows, [{ at: '2026-03-29T00:30:00.000Z', none: null }]);
  await close();
});
