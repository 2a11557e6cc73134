import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { idOf } from '../../../api/sign-in/sessions.js';
import { addSession, findSessions } from '../../../store/queries/people/session.js';
import { withStore, type TestStore } from '../../support/store.js';
import { KEYS } from '../support/harness.js';
import { Browser, Desk } from './support.js';

const START = Date.parse('2026-03-24T10:00:00.000Z');

describe('how many sessions', () => {
  let store: TestStore;
  let desk: Desk;
  const time = { now: START };

  beforeEach(async () => {
    time.now = START;
    store = await withStore();
    desk = new Desk(store, time);
  });
  afterEach(async () => {
    mock.timers.reset();
    await store.close();
  });

  const read = async (browser: Browser) => (await browser.send('get', '/session')).status;
  /** Twenty browsers of one person, which sign in one after the other. */
  const twenty = async (): Promise<readonly Browser[]> => {
    const browsers: Browser[] = [];
    for (let i = 0; i < 20; i += 1) {
      browsers.push(await desk.browser(KEYS.operator));
      time.now += 1_000;
    }
    return browsers;
  };
  const opened = () => store.db.selectFrom('sessions').select('id').execute();

  it('one person has: one more than 20 ends that which was used longest ago', async () => {
    const browsers = await twenty();
    const bob = await desk.browser(KEYS.both);
    time.now += 60_000;
    const [first, second, third] = browsers;
    assert.ok(first && second && third);
    assert.equal(await read(first), 200);
    const last = await desk.browser(KEYS.operator);
    const statuses: number[] = [];
    for (const one of [first, second, third, bob, last]) statuses.push(await read(one));
    assert.deepEqual(statuses, [200, 401, 200, 200, 200]);
  });

  it('one person has: who signs in again with 20 keeps the 19 others', async () => {
    const browsers = await twenty();
    const [first, second] = browsers;
    assert.ok(first && second);
    const before = first.cookie;
    await second.signIn({ key: KEYS.operator });
    await first.signIn({ key: KEYS.operator });
    const statuses = await Promise.all(browsers.map(read));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal((await opened()).length, 20);
    first.cookie = before;
    assert.equal(await read(first), 401);
  });

  it('one person has: 20 where the same browser becomes somebody else’s', async () => {
    const browsers = await twenty();
    const bob = await desk.browser(KEYS.both);
    const before = bob.cookie;
    await bob.signIn({ key: KEYS.operator });
    const statuses = await Promise.all([...browsers, bob].map(read));
    assert.deepEqual(statuses, [401, ...Array<number>(20).fill(200)]);
    bob.cookie = before;
    assert.equal(await read(bob), 401);
  });

  it('one person has: never 21, however many begin at once', async () => {
    await twenty();
    await Promise.all(Array.from({ length: 8 }, () => desk.browser(KEYS.operator)));
    assert.equal((await opened()).length, 20);
  });

  it('a browser has: the earlier one goes on where the next cannot begin', async () => {
    const [alice, bob] = [await desk.browser(KEYS.operator), await desk.browser(KEYS.both)];
    const refusal = await alice.send('post', '/session').send({ key: 'nobody-has-this-key' });
    assert.equal(refusal.status, 401);
    const [replaced, taken] = [alice, bob].map(({ cookie }) => idOf(cookie.split('=')[1] ?? ''));
    const found = await findSessions(store.db, [taken ?? '']);
    assert.ok(found[0]);
    // There is one of this id: it is not kept a second time.
    await assert.rejects(addSession(store.db, found[0], replaced), {
      constraint: 'sessions_pkey',
    });
    assert.deepEqual([await read(alice), await read(bob)], [200, 200]);
  });

  it('are kept: those that are over go when the next begins', async () => {
    const [ended, late] = [await desk.browser(KEYS.operator), await desk.browser(KEYS.both)];
    await ended.send('delete', '/session').set('X-CSRF-Token', ended.csrf);
    assert.equal((await opened()).length, 2);
    await desk.browser(KEYS.both);
    assert.equal((await opened()).length, 2);
    time.now += 8 * 3_600_000 + 1;
    await desk.browser(KEYS.both);
    assert.equal((await opened()).length, 1);
    assert.equal(await read(late), 401);
  });

  it('one address begins: at most 120 a minute, which need not have failed', async () => {
    const open = (address: string) =>
      new Browser(desk)
        .send('post', '/session')
        .set('X-Forwarded-For', address)
        .send({ key: KEYS.operator });
    // However long they take, they are of one minute.
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    for (let i = 0; i < 120; i += 1) assert.equal((await open('192.0.2.10')).status, 200);
    const { status, body } = await open('192.0.2.10');
    assert.deepEqual([status, body.code], [429, 'too_many_sign_ins']);
    assert.equal(body.accepted, 'at most 120 sign-ins a minute');
    assert.equal((await open('192.0.2.11')).status, 200);
    assert.equal((await opened()).length, 20);
  });

  it('one process looks after: more than a query takes as single values', async () => {
    const alice = await desk.browser(KEYS.operator);
    const { known } = desk.sessions as unknown as { known: Map<string, object> };
    const [session] = known.values();
    for (let i = 0; i < 70_000; i += 1) known.set(`${i}`, { ...session });
    // A busy store may fail one look, which then changes nothing.
    do await desk.sessions.look();
    while (known.size > 1);
    assert.equal(known.size, 1);
    assert.equal(await read(alice), 200);
  });
});
