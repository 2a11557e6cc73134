import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { lockShared } from '../../store/advisory-locks.js';
import { FeedEndFinder } from '../../store/feed/end.js';
import { FeedListener } from '../../store/feed/notices.js';
import { readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { insertEvents } from '../../store/queries/event-log.js';
import type { Store } from '../../store/schema.js';
import { append, eventOf, feedOf, logIdOf } from '../support/events.js';
import { withDatabase } from './database.js';

describe('the feed on PostgreSQL', () => {
  let db: Store;
  let url: string;
  withDatabase((store, at) => {
    db = store;
    url = at;
  });

  /** A journal's transaction that has taken its number, up to its commit. */
  async function unfinished(intentId: string) {
    const transaction = await db.startTransaction().execute();
    await lockShared(transaction, 'feed');
    await insertEvents(transaction, [eventOf(intentId, 1)], 'default');
    return transaction;
  }

  it('is not read past a number whose transaction has not ended', async () => {
    const [early, late, last] = [randomUUID(), randomUUID(), randomUUID()];
    const finder = new FeedEndFinder(db);
    const { settled: start } = await finder.look();
    const open = await unfinished(early);
    await append(db, eventOf(late, 1));
    assert.deepEqual(await finder.look(), { settled: start, pending: true });
    await append(db, eventOf(last, 1));
    assert.deepEqual(await finder.look(), { settled: start, pending: true });
    await open.commit().execute();
    await finder.look();
    const { settled, pending } = await finder.look();
    assert.equal(pending, false);
    const range = { after: start, upTo: settled, limit: 10 };
    const { rows: entries } = await readFeed(db, { kind: 'all', space: 'default' }, range);
    assert.deepEqual(
      entries.map(({ event }) => logIdOf(event)),
      [early, late, last],
    );
  });

  it('is not read past what a journal is just writing', async () => {
    const finder = new FeedEndFinder(db);
    const { settled: start } = await finder.look();
    const [early, contested] = [eventOf(randomUUID(), 1), eventOf(randomUUID(), 1)];
    const other = await db.startTransaction().execute();
    await insertEvents(other, [contested], 'default');
    const events = [early, contested].map((event) => ({ kind: 'event', event }) as const);
    const writing = writeRows(db, events);
    await untilSomebodyWaits(db);
    await append(db, eventOf(randomUUID(), 1));
    assert.deepEqual(await finder.look(), { settled: start, pending: true });
    await other.rollback().execute();
    await writing;
    await finder.look();
    assert.equal((await finder.look()).pending, false);
  });

  it('begins for a hub with what is settled, though somebody is writing', async () => {
    const { intent_id: id } = await append(db, eventOf(randomUUID(), 1));
    const all = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1 };
    const [last] = (await readFeed(db, { kind: 'intent', id, space: 'default' }, all)).rows;
    const open = await unfinished(randomUUID());
    const hub = feedOf({ db, url });
    const joined = hub.join();
    await append(db, eventOf(randomUUID(), 1));
    await open.commit().execute();
    await joined;
    assert.ok(last !== undefined && hub.position >= last.position, String(hub.position));
    hub.leave();
  });

  it('goes on past a number that was rolled back', async () => {
    const finder = new FeedEndFinder(db);
    const { settled: start } = await finder.look();
    const open = await unfinished(randomUUID());
    const { intent_id } = await append(db, eventOf(randomUUID(), 1));
    assert.equal((await finder.look()).settled, start);
    await open.rollback().execute();
    const { settled } = await finder.look();
    const range = { after: start, upTo: settled, limit: 10 };
    const { rows: entries } = await readFeed(db, { kind: 'all', space: 'default' }, range);
    assert.deepEqual(
      entries.map(({ event }) => logIdOf(event)),
      [intent_id],
    );
  });

  it('waits for those alone who were writing when it looked', async () => {
    const finder = new FeedEndFinder(db);
    const first = await unfinished(randomUUID());
    assert.equal((await finder.look()).pending, true);
    const second = await unfinished(randomUUID());
    const { settled: before } = await finder.look();
    await first.commit().execute();
    const { settled, pending } = await finder.look();
    assert.ok(settled > before);
    assert.equal(pending, true);
    await second.rollback().execute();
    await finder.look();
    assert.equal((await finder.look()).pending, false);
  });

  it('is heard of as soon as something is committed, again after a lost connection', async () => {
    const notices = new EventEmitter();
    const listener = new FeedListener(url, db, () => notices.emit('notice'));
    try {
      await once(notices, 'notice');
      assert.equal(listener.hears, true);
      const heard = once(notices, 'notice');
      await append(db, eventOf(randomUUID(), 1));
      await heard;
      const again = once(notices, 'notice');
      await endListeners(url);
      await again;
      assert.equal(listener.hears, true);
    } finally {
      listener.close();
    }
  });
});

/** Resolves when a transaction waits for another to end. */
async function untilSomebodyWaits(db: Store): Promise<void> {
  for (let waiting = 0; waiting === 0;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from pg_locks where not granted`.execute(db);
    waiting = rows[0]?.waiting ?? 0;
  }
}

async function endListeners(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where query like 'listen %' and pid <> pg_backend_pid()`,
  );
  assert.equal(rowCount, 1);
  await client.end();
}
