import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startServer, type RunningServer } from '../../api/server.js';
import { Operator, type FeedItem, type Fetch } from '../../client/index.js';
import { KEYS, createRig } from '../api/support/harness.js';
import {
  append,
  appendToPortfolio,
  eventOf,
  feedOf,
  logIdOf,
  writeMany,
  writePortfolio,
} from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { InstantPauses } from './support/harness.js';

describe('subscribe', () => {
  let store: TestStore;
  let server: RunningServer;
  before(async () => {
    store = await withStore();
    const { app } = createRig({}, {}, feedOf(store));
    server = await startServer({ app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await store.close();
  });

  function operator(options: { fetch?: Fetch; pauses?: InstantPauses } = {}): Operator {
    const { fetch, pauses = new InstantPauses() } = options;
    const timers = { pause: pauses.pause };
    return new Operator({ baseUrl: server.url, apiKey: KEYS.operator, timers, fetch });
  }

  async function take(items: AsyncIterable<FeedItem>, count: number): Promise<FeedItem[]> {
    const taken: FeedItem[] = [];
    for await (const item of items) {
      taken.push(item);
      if (taken.length === count) break;
    }
    return taken;
  }

  const sequences = (items: readonly FeedItem[]) => items.map(({ event }) => event.sequence);

  it('gives the events of an intent, of an agent, of a portfolio and of all', async () => {
    const [id, agent, portfolio] = [randomUUID(), randomUUID(), randomUUID()];
    await writePortfolio(store.db, portfolio, id);
    const event = await append(store.db, eventOf(id, 1, { actor: agent }));
    const from = { last_event_id: '0' };
    for (const topic of [{ intent_id: id }, { agent_id: agent }, { portfolio_id: portfolio }]) {
      const [item] = await take(operator().subscribe({ ...topic, ...from }), 1);
      assert.deepEqual(item?.event, event);
      assert.match(item.id, /^\d+$/);
    }
    const own = await appendToPortfolio(store.db, portfolio);
    const ofPortfolio = await take(operator().subscribe({ portfolio_id: portfolio, ...from }), 2);
    assert.deepEqual(
      ofPortfolio.map((item) => item.event),
      [event, own],
    );
    const [first] = await take(operator().subscribe(from), 1);
    assert.equal(first?.event.sequence, 1);
  });

  it('goes on where it was when connections break, without a loss or a repetition', async () => {
    const id = randomUUID();
    await writeMany(store.db, [id], 40);
    let connections = 0;
    /** Each connection is lost in the middle of some frame, the first before any came. */
    const breaking: Fetch = async (url, init) => {
      const reply = await fetch(url, init);
      let left = 1_200 * connections;
      connections += 1;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.slice(0, left));
          left -= chunk.length;
          if (left < 0) controller.error(new Error('lost'));
        },
      });
      return new Response(reply.body?.pipeThrough(cut) ?? null, reply);
    };
    const items = operator({ fetch: breaking }).subscribe({ intent_id: id, last_event_id: '0' });
    const taken = await take(items, 40);
    assert.ok(connections > 3, String(connections));
    assert.deepEqual(
      sequences(taken),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it('loses nothing that happens before the first event of a lost connection', async () => {
    const id = randomUUID();
    const pauses = new InstantPauses();
    pauses.during = async () => {
      await append(store.db, eventOf(id, 1));
    };
    let connections = 0;
    const breaking: Fetch = async (url, init) => {
      connections += 1;
      const reply = await fetch(url, init);
      if (connections > 1) return reply;
      await reply.body?.cancel();
      return new Response('retry: 1\n\n', reply);
    };
    const [item] = await take(
      operator({ fetch: breaking, pauses }).subscribe({ intent_id: id }),
      1,
    );
    assert.equal(item && logIdOf(item.event), id);
  });

  it('throws what the server refuses, and for two topics', async () => {
    const refused = operator().subscribe({ intent_id: 'x' });
    await assert.rejects(refused.next(), { code: 'intent_not_found', status: 404 });
    const ahead = operator().subscribe({ last_event_id: '999999999' });
    await assert.rejects(ahead.next(), { code: 'invalid_request', field: 'Last-Event-ID' });
    const both = operator().subscribe({ intent_id: randomUUID(), agent_id: 'a' });
    await assert.rejects(both.next(), TypeError);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const items = operator().subscribe({ intent_id: randomUUID(), signal: stop.signal });
    const next = items.next();
    const reason = new Error('enough');
    stop.abort(reason);
    await assert.rejects(next, reason);
    const aborted = operator().subscribe({ signal: stop.signal });
    await assert.rejects(aborted.next(), reason);
  });

  it('connects again where a server says nothing for too long', async () => {
    const id = randomUUID();
    await append(store.db, eventOf(id, 1));
    let [connections, reads] = [0, 0];
    const silent: Fetch = async (url, init) => {
      connections += 1;
      const reply = await fetch(url, init);
      if (connections > 1) return reply;
      await reply.body?.cancel();
      return new Response(new ReadableStream(), reply);
    };
    const timers = {
      pause: new InstantPauses().pause,
      deadline: () => ((reads += 1) === 2 ? AbortSignal.abort() : AbortSignal.timeout(10_000)),
    };
    const options = { baseUrl: server.url, apiKey: KEYS.operator, timers, fetch: silent };
    const items = new Operator(options).subscribe({ intent_id: id, last_event_id: '0' });
    assert.deepEqual(sequences(await take(items, 1)), [1]);
    assert.equal(connections, 2);
  });
});
