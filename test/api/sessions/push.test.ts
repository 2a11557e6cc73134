import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { browserKeys } from '../../activities/push/browser.js';
import { isSubscribedToPush, sessionsWithPush } from '../../../store/queries/work/push.js';
import { emptyStore, withStore, type TestStore } from '../../support/store.js';
import { ALICE, Desk, type Browser } from './support.js';

const HOSTS = ['push.example.com', '*.push.apple.com'];
const { p256dh, auth } = browserKeys();
const SUBSCRIPTION = { endpoint: 'https://push.example.com/one', keys: { p256dh, auth } };
const HOUR = 3_600_000;
const HOURS = { time_zone: 'Europe/Berlin', from: '19:00', to: '08:00', whole_days: ['sun'] };

describe('pushes to a browser', () => {
  let store: TestStore;
  let desk: Desk;
  let alice: Browser;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    desk = new Desk(store, { now: Date.parse('2026-11-25T10:00:00Z') }, { push: { hosts: HOSTS } });
    alice = await desk.browser(ALICE.key);
  });

  const write = (method: 'put' | 'delete', path: string, body?: object) =>
    alice.send(method, `/v1/me/${path}`).set('X-CSRF-Token', alice.csrf).send(body);
  const read = (path: string) => alice.send('get', `/v1/me/${path}`);
  const put = (change: object) => write('put', 'push', { ...SUBSCRIPTION, ...change });

  it('come as long as its session lasts, and as it wants them', async () => {
    const before = await read('push');
    assert.deepEqual([before.status, before.body.subscribed], [200, false]);
    assert.match(before.body.public_key, /^[\w-]{87}$/);
    assert.deepEqual((await put({})).body, { ...before.body, subscribed: true });
    assert.equal((await read('push')).body.subscribed, true);
    assert.equal((await write('delete', 'push')).body.subscribed, false);
    await put({});
    const [session] = await sessionsWithPush(store.db);
    assert.equal((await write('delete', 'push')).status, 200);
    await put({});
    await alice.send('delete', '/session').set('X-CSRF-Token', alice.csrf);
    assert.equal(await isSubscribedToPush(store.db, session?.id ?? ''), false);
  });

  it('go on for a closed browser while its session is idle, and end with that', async () => {
    await put({});
    desk.time.now += HOUR;
    assert.equal((await read('push')).status, 401);
    await desk.sessions.lookAfterPushes();
    assert.equal((await sessionsWithPush(store.db)).length, 1);
    assert.equal((await read('push')).status, 401);
    desk.time.now += 7 * HOUR;
    await desk.sessions.lookAfterPushes();
    assert.deepEqual(await sessionsWithPush(store.db), []);
  });

  it('end once the key of its person is gone, though no request comes', async () => {
    await put({});
    await desk.sessions.lookAfterPushes();
    assert.equal((await sessionsWithPush(store.db)).length, 1);
    desk.ring.replace([]);
    await desk.sessions.lookAfterPushes();
    assert.deepEqual(await sessionsWithPush(store.db), []);
  });

  it('are refused to addresses that the installation does not name', async () => {
    for (const endpoint of [
      'https://evil.example/one',
      'http://push.example.com/one',
      'https://push.example.com:8443/one',
      'https://127.0.0.1/one',
      'https://me:secret@push.example.com/one',
      'file:///etc/passwd',
      'push.example.com',
    ]) {
      const { status, body } = await put({ endpoint });
      assert.deepEqual(
        [status, body.code, body.field],
        [422, 'invalid_request', 'endpoint'],
        endpoint,
      );
      assert.match(body.accepted, /push\.example\.com/);
    }
    assert.deepEqual(await sessionsWithPush(store.db), []);
  });

  it('are refused with keys with which nothing can be encrypted', async () => {
    const off = Buffer.alloc(65, 1);
    off[0] = 4;
    for (const [field, keys] of [
      ['keys.p256dh', { p256dh: 'AAAA', auth }],
      ['keys.p256dh', { p256dh: off.toString('base64url'), auth }],
      ['keys.auth', { p256dh, auth: `${auth}A` }],
    ] as const) {
      const { status, body } = await put({ keys });
      assert.deepEqual([status, body.field], [422, field]);
    }
    assert.equal(
      (await put({ endpoint: `https://push.example.com/${'x'.repeat(1_000)}` })).status,
      422,
    );
  });

  it('are for browsers alone, and for pages of this site', async () => {
    const { rig } = desk;
    const byKey = await rig.send('operator', 'put', '/v1/me/push').send(SUBSCRIPTION);
    assert.deepEqual([byKey.status, byKey.body.code], [401, 'unauthenticated']);
    const forged = await alice.send('put', '/v1/me/push').send(SUBSCRIPTION);
    assert.deepEqual([forged.status, forged.body.code], [403, 'csrf_token_missing']);
  });

  it('are held back in the quiet hours of a person, which every browser and key of hers shows', async () => {
    assert.deepEqual((await read('quiet-hours')).body, { quiet_hours: null });
    assert.deepEqual((await write('put', 'quiet-hours', HOURS)).body, { quiet_hours: HOURS });
    const byKey = await desk.rig.send('operator', 'get', '/v1/me/quiet-hours');
    assert.deepEqual(byKey.body, { quiet_hours: HOURS });
    const others = await desk.rig.send('both', 'get', '/v1/me/quiet-hours');
    assert.deepEqual(others.body, { quiet_hours: null });
    for (const [field, change] of [
      ['time_zone', { time_zone: 'Mars/Olympus' }],
      ['time_zone', { time_zone: '+01:00' }],
      ['from', { from: '24:00' }],
      ['whole_days[0]', { whole_days: ['someday'] }],
    ] as const) {
      const { status, body } = await write('put', 'quiet-hours', { ...HOURS, ...change });
      assert.deepEqual([status, body.field], [422, field]);
    }
    assert.deepEqual((await write('delete', 'quiet-hours')).body, { quiet_hours: null });
  });
});
