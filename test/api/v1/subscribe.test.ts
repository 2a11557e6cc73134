import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startServer } from '../../../api/server.js';
import { append, eventOf, feedOf } from '../../support/events.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openSse } from '../../support/subscribers.js';
import { closed } from '../support/fakes.js';
import { KEYS, createRig, rigOver, type KeyName } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PATHS = [
  `/v1/intents/${INTENT_ID}/subscribe`,
  '/v1/subscribe',
  '/v1/agents/refund-agent/subscribe',
  `/v1/portfolios/${INTENT_ID}/subscribe`,
] as const;

describe('a stream that cannot begin', () => {
  for (const path of PATHS) {
    it(`is a problem with an id that is none: ${path}`, async () => {
      const rig = createRig();
      for (const id of ['-1', 'abc', '1e3', '9'.repeat(16)]) {
        const reply = await rig.send('operator', 'get', path).set('Last-Event-ID', id);
        assert.deepEqual([reply.status, reply.body.field], [422, 'Last-Event-ID']);
      }
      const ahead = await rig.send('operator', 'get', path).set('Last-Event-ID', '7');
      assert.deepEqual([ahead.status, ahead.body.field], [422, 'Last-Event-ID']);
      const query = await rig.send('operator', 'get', `${path}?last_event_id=x`);
      assert.deepEqual([query.status, query.body.field], [422, 'last_event_id']);
    });
  }

  it('is a problem if the intent is unknown', async () => {
    const rig = rigOver({ answers: { intent: closed } });
    const known = await rig.send('operator', 'get', `/v1/intents/${randomUUID()}/subscribe`);
    assert.deepEqual([known.status, known.body.code], [404, 'intent_not_found']);
    const malformed = await rig.send('operator', 'get', '/v1/intents/x/subscribe');
    assert.deepEqual([malformed.status, malformed.body.code], [404, 'intent_not_found']);
  });

  it('is a problem if the name is no name, or the portfolio no id', async () => {
    const rig = createRig();
    const agent = await rig.send('operator', 'get', `/v1/agents/${'x'.repeat(201)}/subscribe`);
    assert.deepEqual([agent.status, agent.body.code], [422, 'invalid_request']);
    const portfolio = await rig.send('operator', 'get', '/v1/portfolios/x/subscribe');
    assert.deepEqual([portfolio.status, portfolio.body.code], [404, 'portfolio_not_found']);
  });

  it('ends at once if only its headers are asked for', async () => {
    const { app } = createRig();
    const server = await startServer({ app, host: '127.0.0.1', port: 0 });
    const headers = { 'X-API-Key': KEYS.agent };
    const reply = await fetch(`${server.url}/v1/subscribe`, { method: 'HEAD', headers });
    assert.equal(reply.status, 200);
    await server.close();
  });
});

describe('an open stream', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());

  async function withServer(
    run: (url: string, close: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { app } = createRig({}, {}, feedOf(store));
    const server = await startServer({ app, host: '127.0.0.1', port: 0 });
    await run(server.url, () => server.close());
    await server.close();
  }

  it('begins with the id that it starts after, and the time to reconnect', () =>
    withServer(async (url) => {
      const { position } = await lastOf(store);
      const stream = await openSse(`${url}${PATHS[1]}`, KEYS.agent);
      await append(store.db, eventOf(randomUUID(), 1));
      await stream.until(1);
      assert.ok(stream.text().startsWith(`retry: 1000\nid: ${position}\n\n`), stream.text());
      assert.equal(stream.reply.headers['holdpoint-feed-position'], String(position));
      assert.equal(stream.reply.headers['cache-control'], 'no-store');
      stream.reply.destroy();
    }));

  it('shows the ids of suspensions as the list of events does [AM-45]', () =>
    withServer(async (url) => {
      const payload = { suspension_id: SUSPENSION_ID };
      const changes = { event_type: 'intent.suspended', payload };
      const intents = [randomUUID(), randomUUID()] as const;
      const open = (key: KeyName) => openSse(`${url}/v1/subscribe`, KEYS[key]);
      const streams = await Promise.all([open('agent'), open('operator'), open('admin')]);
      const mine = { actor: 'any', principal: 'refund-agent' };
      const theirs = { actor: 'refund-agent', principal: 'other-agent' };
      await append(store.db, eventOf(intents[0], 1, { ...changes, ...mine }));
      await append(store.db, eventOf(intents[1], 1, { ...changes, ...theirs }));
      const shown = await Promise.all(
        streams.map(async (stream) => {
          const frames = await stream.until(2);
          return frames.map(({ data }) => {
            const event = JSON.parse(data) as { payload: unknown; masked?: true };
            return [event.payload, event.masked];
          });
        }),
      );
      const whole = [payload, undefined];
      const [[own, foreign] = [], ...asOthers] = shown;
      assert.deepEqual(own, whole);
      assert.equal(foreign?.[1], true);
      assert.doesNotMatch(JSON.stringify(foreign), new RegExp(SUSPENSION_ID));
      assert.deepEqual(asOthers, [
        [whole, whole],
        [whole, whole],
      ]);
      for (const { reply } of streams) reply.destroy();
    }));

  it('is ended in order when the server stops', () =>
    withServer(async (url, close) => {
      const stream = await openSse(`${url}${PATHS[0]}`, KEYS.agent);
      await close();
      await stream.ended;
      assert.equal(stream.reply.complete, true);
    }));
});

async function lastOf({ db }: TestStore): Promise<{ position: number }> {
  const { feed_position } = await db
    .selectFrom('events')
    .select('feed_position')
    .orderBy('feed_position', 'desc')
    .limit(1)
    .executeTakeFirst()
    .then((row) => row ?? { feed_position: '0' });
  return { position: Number(feed_position) };
}
