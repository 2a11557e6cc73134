import assert from 'node:assert/strict';
import { startServer, type RunningServer } from '../../../api/server.js';
import { append, eventOf, feedOf } from '../../support/events.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openSse } from '../../support/subscribers.js';
import { KEYS } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { Desk, type Browser } from '../sessions/support.js';

const PATH = `/v1/intents/${INTENT_ID}/subscribe`;

describe('a stream of a session', () => {
  let store: TestStore;
  let desk: Desk;
  let server: RunningServer;
  const time = { now: Date.now() };

  beforeEach(async () => {
    store = await withStore();
    desk = new Desk(store, time, {}, feedOf(store));
    server = await startServer({ app: desk.rig.app, host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await server.close();
    await store.close();
  });

  const open = ({ cookie, headers }: Browser) =>
    openSse(server.url + PATH, '', { ...headers, Cookie: cookie });

  it('ends at once when its person signs out, and no other does', async () => {
    const [alice, bob] = [await desk.browser(KEYS.operator), await desk.browser(KEYS.both)];
    const [hers, his] = [await open(alice), await open(bob)];
    assert.deepEqual([hers.reply.statusCode, his.reply.statusCode], [200, 200]);
    const out = await alice.send('delete', '/session').set('X-CSRF-Token', alice.csrf);
    assert.equal(out.status, 204);
    await hers.ended;
    await append(store.db, eventOf(INTENT_ID, 1));
    await his.until(his.frames.length + 1);
    his.reply.destroy();
  });
});
