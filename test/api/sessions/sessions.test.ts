import assert from 'node:assert/strict';
import request from 'supertest';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { idOf } from '../../../api/sign-in/sessions.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openedIn } from '../support/questions.js';
import { KEYS } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { AGENT, ALICE, BOB, Browser, Desk, linkFor, setCookies } from './support.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-24T10:00:00.000Z');
const QUESTIONS = '/v1/suspensions';
const STATUS = `/v1/intents/${INTENT_ID}/status`;

describe('a session in a browser', () => {
  let store: TestStore;
  const time = { now: START };
  let desk: Desk;

  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  beforeEach(() => {
    time.now = START;
    desk = new Desk(store, time);
  });

  const read = async (browser: Browser) => (await browser.send('get', '/session')).status;

  it('is opened with a key, and is a cookie that no script and no other site reaches', async () => {
    const reply = await new Browser(desk).signIn({ key: KEYS.operator });
    assert.equal(reply.status, 200);
    const { csrf, ...body } = reply.body as { csrf: string };
    assert.match(csrf, /^[\w-]{43}$/);
    assert.deepEqual(body, {
      space: 'default',
      principal: 'alice',
      roles: ['operator'],
      expires_at: new Date(START + 8 * HOUR).toISOString(),
      idle_expires_at: new Date(START + HOUR).toISOString(),
      image_hosts: [],
    });
    const [cookie = '', ...more] = setCookies(reply);
    assert.deepEqual(more, []);
    assert.match(cookie, /^holdpoint_session_4000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it('is a cookie of this host alone over https', async () => {
    const secure =
      /^__Host-holdpoint_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/;
    const byProxy = new Browser(desk);
    byProxy.headers['X-Forwarded-Proto'] = 'https';
    assert.match(setCookies(await byProxy.signIn({ key: KEYS.operator }))[0] ?? '', secure);
    assert.equal(await read(byProxy), 200);

    desk = new Desk(store, time, { public_url: 'https://holdpoint.example' });
    const byName = new Browser(desk);
    byName.headers['Host'] = 'inner:4000';
    const test = byName.send('post', '/session').set('Origin', 'https://holdpoint.example');
    assert.match(setCookies(await test.send({ key: KEYS.operator }))[0] ?? '', secure);
  });

  it('lets its browser do what the key may', async () => {
    const alice = await desk.browser(KEYS.operator);
    assert.equal((await alice.send('get', QUESTIONS)).status, 200);
    const answer = alice.send('post', `${QUESTIONS}/00000000-0000-4000-8000-000000000001/cancel`);
    const refused = await answer.set('X-CSRF-Token', alice.csrf).send({});
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    const bob = await desk.browser(KEYS.both);
    const ask = bob.send('post', QUESTIONS).set('X-CSRF-Token', bob.csrf);
    assert.equal((await ask.send({ question: 'Go?', response_type: 'confirm' })).status, 201);
    assert.equal(openedIn(desk.rig).asked_by, 'bob');
  });

  it('ends for good also where this process is just reading it', async () => {
    const alice = await desk.browser(KEYS.operator);
    for (const reading of [() => desk.sessions.look(), (one: string) => desk.sessions.find(one)]) {
      const token = alice.cookie.split('=')[1] ?? '';
      const signedIn = await desk.sessions.find(token);
      assert.equal(signedIn?.holds(), true);
      let release = (): void => undefined;
      desk.heldBack = new Promise((resolve) => (release = resolve));
      const read = reading(token);
      desk.heldBack = undefined;
      await desk.sessions.end(idOf(token));
      release();
      await read;
      assert.equal(signedIn.holds(), false);
      desk.isAway = true;
      assert.equal((await alice.send('get', '/session')).status, 503);
      desk.isAway = false;
      await alice.signIn({ key: KEYS.operator });
    }
  });

  it('is the same in another process, and after a restart', async () => {
    const alice = await desk.browser(KEYS.operator);
    const { csrf } = alice;
    alice.desk = new Desk(store, time);
    const { status, body } = await alice.send('get', '/session');
    assert.deepEqual([status, body.principal, body.csrf], [200, 'alice', csrf]);
  });

  it('keeps neither its cookie nor the key in the store or the log', async () => {
    const alice = await desk.browser(KEYS.operator);
    await alice.send('get', QUESTIONS);
    const rows = JSON.stringify(await store.db.selectFrom('sessions').selectAll().execute());
    const token = alice.cookie.split('=')[1] ?? '';
    for (const secret of [token, alice.csrf, KEYS.operator]) {
      assert.ok(secret.length > 20);
      assert.ok(!rows.includes(secret) && !desk.rig.logged().includes(secret));
    }
    assert.ok(!alice.cookie.includes(KEYS.operator));
  });

  it('takes the place of the one that the browser had before', async () => {
    const browser = await desk.browser(KEYS.operator);
    const before = Object.assign(new Browser(desk), { cookie: browser.cookie });
    await browser.signIn({ key: KEYS.both });
    assert.deepEqual([await read(before), await read(browser)], [401, 200]);
  });

  describe('is refused', () => {
    it('for a key that nobody has', async () => {
      const browser = new Browser(desk);
      const reply = await browser.signIn({ key: 'wrong-key-0123456789' });
      assert.deepEqual([reply.status, reply.body.code], [401, 'unauthenticated']);
      assert.deepEqual(setCookies(reply), []);
      assert.match(desk.rig.logged(), /"code":"unauthenticated".*"login failed"/);
      assert.ok(!desk.rig.logged().includes('wrong-key'));
    });

    it('for the key of an agent, which has no inbox', async () => {
      const reply = await new Browser(desk).signIn({ key: KEYS.agent });
      assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden']);
      assert.match(reply.body.accepted, /operator, admin or auditor/);
      assert.deepEqual(setCookies(reply), []);
    });

    it('for the key of a user, whom the inbox would show nothing', async () => {
      desk.ring.replace([{ key: KEYS.user, principal: 'ursula', roles: ['user'] }]);
      const reply = await new Browser(desk).signIn({ key: KEYS.user });
      assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden']);
      assert.match(reply.body.detail, /operator, admin or auditor/);
    });

    it('without a key, with two proofs, and for what is no JSON', async () => {
      const browser = new Browser(desk);
      for (const body of [{}, { key: 'a', link: 'b' }, { kee: KEYS.operator }, { key: 1 }]) {
        assert.equal((await browser.signIn(body)).status, 422, JSON.stringify(body));
      }
      const form = browser.send('post', '/session').type('text/plain');
      assert.equal((await form.send(JSON.stringify({ key: KEYS.operator }))).status, 422);
    });

    it('to a page of another site', async () => {
      for (const headers of [
        { Origin: 'https://evil.example' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        const test = new Browser(desk).send('post', '/session').set(headers);
        const { status, body } = await test.send({ key: KEYS.operator });
        assert.deepEqual([status, body.code], [403, 'cross_site']);
      }
    });

    it('to another site, which does not use up the tries of the address', async () => {
      const send = (headers: object) =>
        new Browser(desk)
          .send('post', '/session')
          .set({ 'X-Forwarded-For': '192.0.2.9', ...headers })
          .send({ key: KEYS.operator });
      for (let i = 0; i < 21; i += 1) {
        assert.equal((await send({ 'Sec-Fetch-Site': 'cross-site' })).body.code, 'cross_site');
      }
      assert.equal((await send({})).status, 200);
    });

    it('after too many tries from one address, and to no other address', async () => {
      const guess = (address: string) =>
        new Browser(desk)
          .send('post', '/session')
          .set('X-Forwarded-For', address)
          .send({ key: 'wrong-key-0123456789' });
      for (let i = 0; i < 20; i += 1) assert.equal((await guess('192.0.2.7')).status, 401);
      const { status, body, headers } = await guess('192.0.2.7');
      assert.deepEqual([status, body.code], [429, 'too_many_sign_ins']);
      assert.ok(headers['retry-after']);
      assert.equal((await guess('192.0.2.8')).status, 401);
      assert.match(desk.rig.logged(), /"code":"too_many_sign_ins"/);
    });
  });

  describe('does nothing', () => {
    it('in a request that changes something without the token of its page', async () => {
      const [alice, bob] = [await desk.browser(KEYS.both), await desk.browser(KEYS.both)];
      for (const token of ['', bob.csrf, alice.csrf.slice(1), `${alice.csrf}=`]) {
        desk.rig.sent.length = 0;
        const test = alice.send('post', STATUS).set({ 'If-Match': '3', 'X-CSRF-Token': token });
        const { status, body } = await test.send({ status: 'active' });
        assert.deepEqual([status, body.code], [403, 'csrf_token_missing']);
        assert.deepEqual(desk.rig.sent, []);
      }
      const test = alice.send('post', STATUS).set('X-CSRF-Token', alice.csrf);
      assert.equal((await test.set('If-Match', '3').send({ status: 'active' })).status, 200);
    });

    it('for a page of another site, whatever it asks for', async () => {
      const alice = await desk.browser(KEYS.operator);
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: 'http://127.0.0.1:4001' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        for (const method of ['get', 'post'] as const) {
          const test = alice.send(method, QUESTIONS).set('X-CSRF-Token', alice.csrf).set(headers);
          const { status, body } = await (method === 'get' ? test : test.send({}));
          assert.deepEqual([status, body.code], [403, 'cross_site'], JSON.stringify(headers));
        }
      }
    });

    it('with a cookie that somebody has changed or made', async () => {
      const alice = await desk.browser(KEYS.operator);
      const { cookie } = alice;
      const other = cookie.at(-5) === 'A' ? 'B' : 'A';
      const name = cookie.split('=')[0] ?? '';
      for (const forged of [
        cookie.slice(0, -5) + other + cookie.slice(-4),
        `${name}=`,
        `${name}=a%00`,
      ]) {
        alice.cookie = forged;
        const { status, body } = await alice.send('get', QUESTIONS);
        assert.deepEqual([status, body.code], [401, 'unauthenticated']);
      }
      const rows = await store.db.selectFrom('sessions').select('id').execute();
      alice.cookie = `${name}=${rows[0]?.id ?? ''}`;
      assert.equal(await read(alice), 401);
    });

    it('beside a key, which then counts and needs no token', async () => {
      const alice = await desk.browser(KEYS.operator);
      const test = alice.send('post', STATUS).set({ 'X-API-Key': KEYS.agent, 'If-Match': '3' });
      assert.equal((await test.send({ status: 'active' })).status, 200);
    });
  });

  describe('ends', () => {
    it('when its person signs out, in every process', async () => {
      const alice = await desk.browser(KEYS.operator);
      assert.equal((await alice.send('delete', '/session')).status, 403);
      const out = await alice.send('delete', '/session').set('X-CSRF-Token', alice.csrf);
      assert.equal(out.status, 204);
      assert.match(
        setCookies(out)[0] ?? '',
        /^holdpoint_session_4000=; Path=\/; Expires=Thu, 01 Jan 1970/,
      );
      assert.equal(await read(alice), 401);
      alice.desk = new Desk(store, time);
      assert.equal(await read(alice), 401);
    });

    it('when its key is removed, and stays ended if the key comes back', async () => {
      const alice = await desk.browser(KEYS.operator);
      desk.ring.replace([BOB, AGENT]);
      assert.equal(await read(alice), 401);
      desk.ring.replace([ALICE, BOB, AGENT]);
      assert.equal(await read(alice), 401);
    });

    it('when its key expires, stands for somebody else, or is only an agent’s', async () => {
      const expires_at = new Date(START + 60_000).toISOString();
      const changed: readonly [ApiKey, number][] = [
        [{ ...ALICE, expires_at }, 60_000],
        [{ ...ALICE, principal: 'eve' }, 0],
        [{ ...ALICE, space: 'elsewhere' }, 0],
        [{ ...ALICE, roles: ['agent'] }, 0],
      ];
      for (const [key, wait] of changed) {
        desk = new Desk(store, time);
        const alice = await desk.browser(KEYS.operator);
        desk.ring.replace([key]);
        time.now += wait;
        assert.equal(await read(alice), 401, JSON.stringify(key));
        time.now = START;
      }
    });

    it('after an hour without use, and after eight in any case', async () => {
      const alice = await desk.browser(KEYS.operator);
      time.now += HOUR - 1;
      assert.equal(await read(alice), 200);
      for (let hour = 1; hour < 8; hour += 1) {
        assert.equal(await read(alice), 200, `hour ${hour}`);
        time.now += HOUR - 1;
      }
      assert.equal(await read(alice), 200);
      time.now = START + 8 * HOUR;
      assert.equal(await read(alice), 401);

      const bob = await desk.browser(KEYS.both);
      time.now += HOUR;
      assert.equal(await read(bob), 401);
    });
  });

  it('goes on while the store is away in a process that knows it', async () => {
    const alice = await desk.browser(KEYS.operator);
    const other = new Desk(store, time);
    for (const one of [desk, other]) one.isAway = true;
    assert.equal(await read(alice), 200);
    const out = await alice.send('delete', '/session').set('X-CSRF-Token', alice.csrf);
    assert.deepEqual([out.status, out.body.code], [503, 'store_unavailable']);
    alice.desk = other;
    const { status, body } = await alice.send('get', '/session');
    assert.deepEqual([status, body.code], [503, 'store_unavailable']);
  });

  it('is not what a key or a token proves', async () => {
    const { status, body } = await desk.rig.send('operator', 'get', '/session');
    assert.deepEqual([status, body.code], [401, 'unauthenticated']);
    assert.equal(
      (await request(desk.rig.app).put('/session').set('X-API-Key', KEYS.operator)).status,
      405,
    );
  });

  it('is looked for by a page before anybody signs in, which is no failed login', async () => {
    const visitor = new Browser(desk);
    const before = desk.rig.logged().length;
    assert.equal(await read(visitor), 401);
    assert.doesNotMatch(desk.rig.logged().slice(before), /login failed/);
    visitor.cookie = 'holdpoint_session_4000=made-up';
    assert.equal(await read(visitor), 401);
    assert.match(desk.rig.logged().slice(before), /"route":"\/session\/".*login failed/);
  });

  it('has ways to be opened, which anybody may know', async () => {
    const { status, body } = await request(desk.rig.app).get('/session/methods');
    assert.deepEqual([status, body], [200, { key: true, oidc: false }]);
  });
});

describe('a link that signs in', () => {
  let store: TestStore;
  const time = { now: START };
  let desk: Desk;

  before(async () => {
    store = await withStore();
    desk = new Desk(store, time);
  });
  after(() => store.close());
  beforeEach(() => {
    time.now = START;
  });

  it('does so once, and then says when that was', async () => {
    const link = await linkFor(store, ALICE, START);
    time.now += 1_000;
    const browser = new Browser(desk);
    assert.equal((await browser.signIn({ link })).body.principal, 'alice');
    assert.equal((await browser.send('get', QUESTIONS)).status, 200);
    time.now += 1_000;
    const { status, body } = await new Browser(desk).signIn({ link });
    assert.deepEqual([status, body.code], [410, 'sign_in_link_used']);
    assert.deepEqual(body.state, { used_at: new Date(START + 1_000).toISOString() });
    assert.ok(!desk.rig.logged().includes(link));
  });

  it('signs one of two in that use it at the same time', async () => {
    const link = await linkFor(store, ALICE, START);
    const both = await Promise.all([1, 2].map(() => new Browser(desk).signIn({ link })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
  });

  it('does nothing after ten minutes, and says so', async () => {
    const link = await linkFor(store, ALICE, START);
    time.now += 600_000;
    const { status, body } = await new Browser(desk).signIn({ link });
    assert.deepEqual([status, body.code], [410, 'sign_in_link_expired']);
    assert.deepEqual(body.state, { expires_at: new Date(START + 600_000).toISOString() });
  });

  it('does nothing if nobody made it, or its key is gone', async () => {
    assert.equal((await new Browser(desk).signIn({ link: 'a'.repeat(43) })).status, 401);
    const link = await linkFor(store, { ...ALICE, key: 'a-key-of-before-0123' }, START);
    assert.equal((await new Browser(desk).signIn({ link })).status, 401);
  });
});
