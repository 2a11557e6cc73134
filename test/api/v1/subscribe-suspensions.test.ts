import assert from 'node:assert/strict';
import { startServer } from '../../../api/server.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import type { SuspensionChange } from '../../../contracts/suspension/view.js';
import { writeRows } from '../../../store/journal-writer.js';
import { aRecord, openedRow, progressRow, settledRow } from '../../store/rows.js';
import { append, eventOf, feedOf } from '../../support/events.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openSse, type Sse } from '../../support/subscribers.js';
import { KEYS, createRig, type KeyName } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';

const PATH = '/v1/suspensions/subscribe';

function asked(asked_by = 'refund-agent') {
  const record = aRecord();
  const row = { ...openedRow('', record), intent_id: null, asked_by } as JournalRow;
  return { id: record.id, row };
}

describe('the stream of questions', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  async function withStreams(
    run: (open: (key: KeyName, lastId?: string) => Promise<Sse>) => Promise<void>,
    config: object = {},
  ): Promise<void> {
    const { app } = createRig({}, config, feedOf(store));
    const server = await startServer({ app, host: '127.0.0.1', port: 0 });
    const streams: Sse[] = [];
    await run(async (key, lastId) => {
      const headers = lastId === undefined ? undefined : { 'Last-Event-ID': lastId };
      const stream = await openSse(`${server.url}${PATH}`, KEYS[key], headers);
      streams.push(stream);
      return stream;
    });
    for (const { reply } of streams) reply.destroy();
    await server.close();
  }

  /** The first frames of a stream: what they are called, and what they say. */
  async function first(stream: Sse, count: number) {
    const frames = await stream.until(count);
    return frames.map(({ event, data }) => [event, JSON.parse(data) as SuspensionChange] as const);
  }

  it('tells each change as it comes, and nothing of the content', () =>
    withStreams(async (open) => {
      const stream = await open('operator');
      const { id, row } = asked();
      await write(row);
      await stream.until(1);
      await write(progressRow(id, 1, 2));
      await stream.until(2);
      await append(store.db, eventOf(INTENT_ID, 1));
      await write(settledRow(id, 2));
      assert.deepEqual(await first(stream, 3), [
        ['suspension', { id, state: 'pending', change: 'opened' }],
        ['suspension', { id, state: 'pending', change: 'attempt' }],
        ['suspension', { id, state: 'settled', change: 'settled' }],
      ]);
    }));

  it('shows an agent what it has asked, and nothing else [R25-99] [R25-100]', () =>
    withStreams(async (open) => {
      const [own, all] = [await open('agent'), await open('auditor')];
      const [other, mine] = [asked('another'), asked()];
      await write(other.row);
      await all.until(1);
      await write(mine.row);
      await all.until(2);
      assert.deepEqual(await first(own, 1), [
        ['suspension', { id: mine.id, state: 'pending', change: 'opened' }],
      ]);
    }));

  it('goes on after the id of a frame', () =>
    withStreams(async (open) => {
      const stream = await open('operator');
      const [seen, missed] = [asked(), asked()];
      await write(seen.row);
      const [frame] = await stream.until(1);
      stream.reply.destroy();
      await write(missed.row);
      const again = await open('operator', frame?.id);
      const [[, change] = []] = await first(again, 1);
      assert.equal(change?.id, missed.id);
    }));

  it('says to read anew after an id that the feed has not reached', () =>
    withStreams(async (open) => {
      const stream = await open('operator', '900000');
      const { id, row } = asked();
      await write(row);
      assert.deepEqual(await first(stream, 2), [
        ['reset', {}],
        ['suspension', { id, state: 'pending', change: 'opened' }],
      ]);
    }));

  it('says to read anew to who has missed more than 1,000 changes, and not to 1,000', () =>
    withStreams(async (open) => {
      const start = await open('operator');
      const position = String(start.reply.headers['holdpoint-feed-position']);
      const rows = Array.from({ length: 1_001 }, () => asked());
      for (let at = 0; at < 1_000; at += 200) {
        await write(...rows.slice(at, at + 200).map(({ row }) => row));
      }
      await start.until(1_000);
      const near = await open('operator', position);
      assert.equal((await first(near, 1_000)).at(0)?.[0], 'suspension');
      const [last] = rows.slice(-1);
      await write(last?.row ?? assert.fail());
      await start.until(1_001);
      const far = await open('operator', position);
      assert.deepEqual(await first(far, 1), [['reset', {}]]);
    }));

  it('counts among the streams of its principal', () =>
    withStreams(
      async (open) => {
        await open('operator');
        const second = await open('operator');
        assert.equal(second.reply.statusCode, 429);
      },
      { limits: { streams: { per_principal: 1, total: 9 } } },
    ));
});
