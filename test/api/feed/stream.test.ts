import express from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { eventFrames, sendFeed } from '../../../api/feed/stream.js';
import { startServer, type RunningServer } from '../../../api/server.js';
import { FeedHub } from '../../../store/feed/hub.js';
import type { FeedEntry } from '../../../contracts/subscription/feed.js';
import type { FeedSource } from '../../../store/feed/source.js';
import { eventOf } from '../../support/events.js';
import { openSse, type Sse } from '../../support/subscribers.js';
import { INTENT_ID } from '../support/records.js';
import { caller } from '../../support/callers.js';

const FRAMES = eventFrames(caller('alice', 'operator'), undefined);
const scope = { kind: 'intent', id: 'of nobody in the feed', space: 'default' } as const;

const entry = (position: number): FeedEntry => ({
  position,
  space: 'default',
  created_by: null,
  owner: null,
  guarded: null,
  event: eventOf(INTENT_ID, position),
});

/** A store whose readers of one intent get the whole feed, once it lets them. */
class HeldFeed implements FeedSource {
  newest = 3;
  taken = 3;
  open = Promise.resolve();
  notice = (): void => undefined;

  reach = () => Promise.resolve(this.newest);
  look = () => Promise.resolve({ settled: this.newest, pending: false });
  lastTaken = () => Promise.resolve(this.taken);
  readonly end = (): Promise<number> => Promise.resolve(0);
  kept: number | undefined;
  marks = () => Promise.resolve([{ position: 1, id: 'one' }]);
  newestKept = () => Promise.resolve(this.kept);
  newestPosition = (upTo: number) => Promise.resolve(upTo);
  audiencesOf = () => Promise.resolve([]);
  read: FeedSource['read'] = async ({ kind }, { after, upTo }) => {
    if (kind !== 'all') await this.open;
    const rows = Array.from({ length: upTo - after }, (_, index) => entry(after + index + 1));
    return { rows, more: false };
  };
  listen: FeedSource['listen'] = (onNotice) => {
    this.notice = onNotice;
    return { hears: true, close: () => undefined };
  };

  hold(): () => void {
    let release = (): void => undefined;
    this.open = new Promise((resolve) => (release = resolve));
    return release;
  }
}

describe('the signs of life of a stream', () => {
  let feed: HeldFeed;
  let server: RunningServer;
  beforeEach(async () => {
    feed = new HeldFeed();
    const warn = (_fields: object, message: string) => assert.equal(message, 'the feed went back');
    const hub = new FeedHub(feed, { warn });
    const app = express().get('/', async (req, res) => {
      const left = new AbortController();
      res.once('close', () => {
        left.abort();
      });
      const lastId = req.get('Last-Event-ID');
      const after = lastId === undefined ? undefined : Number(lastId);
      const reader = { res, frames: FRAMES, scope, after, gone: left.signal };
      await sendFeed(hub, { ...reader, heartbeatMs: 1 });
    });
    server = await startServer({ app, host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const { reply } of streams.splice(0)) reply.destroy();
    await server.close();
  });

  const streams: Sse[] = [];
  async function open(lastId?: string): Promise<Sse> {
    const headers = lastId === undefined ? undefined : { 'Last-Event-ID': lastId };
    const stream = await openSse(server.url, '', headers);
    streams.push(stream);
    return stream;
  }

  async function comesToTell(stream: Sse, wanted: RegExp): Promise<void> {
    while (!wanted.test(stream.text())) await once(stream.reply, 'parsed');
  }

  it('carry the position of a reader, also past events of others', async () => {
    const stream = await open();
    await comesToTell(stream, /: alive\nid: 3\n\n/);
    feed.newest = 4;
    feed.notice();
    await comesToTell(stream, /: alive\nid: 4\n\n/);
    assert.deepEqual(stream.frames, []);
  });

  it('never show a reader a lower position than before', async () => {
    feed.taken = 5;
    const stream = await open('5');
    await comesToTell(stream, /(: alive\nid: \d\n\n){3}/);
    assert.doesNotMatch(stream.text(), /id: [^5]/);
  });

  it('say where a reader has to go on if the store has lost events, also of others', async () => {
    const stream = await open();
    await comesToTell(stream, /: alive\nid: 3\n\n/);
    feed.kept = 1;
    feed.newest = 1;
    feed.notice();
    await comesToTell(stream, /id: 1\nevent: reset\ndata: \{\}\n\n[^]*: alive\nid: 1\n\n/);
    const since = stream.text().split('event: reset').at(-1) ?? '';
    assert.doesNotMatch(since, /id: 3/);
  });

  it('carry no position while a reader catches up, so that one who drops then loses nothing', async () => {
    const release = feed.hold();
    const stream = await open('0');
    await comesToTell(stream, /(: alive\n[^]*){3}/);
    const ids = [...stream.text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => id);
    assert.deepEqual(ids, ['0']);
    stream.reply.destroy();
    release();
    const again = await open(ids.at(-1));
    const frames = await again.until(3);
    assert.deepEqual(
      frames.map(({ id }) => id),
      ['1', '2', '3'],
    );
  });
});
