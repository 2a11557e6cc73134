import assert from 'node:assert/strict';
import { withStore, type TestStore } from '../../support/store.js';
import { KEYS } from '../support/harness.js';
import { Browser, Desk, setCookies } from './support.js';

const START = Date.parse('2026-03-24T10:00:00.000Z');
const WRONG = 'wrong-key-0123456789';

describe('the path of a session, however it is written', () => {
  let store: TestStore;
  let desk: Desk;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  beforeEach(() => {
    desk = new Desk(store, { now: START });
  });

  const open = (path: string, key: string, address = '192.0.2.7') =>
    new Browser(desk).send('post', path).set('X-Forwarded-For', address).send({ key });
  const lead = (path: string) =>
    new Browser(desk).send('get', path).set({ 'Sec-Fetch-Mode': 'navigate' });

  for (const path of ['/session', '/session/', '/session//', '/session//?a=1', '/SESSION//']) {
    it(`counts each failed sign-in at ${path}`, async () => {
      for (let i = 0; i < 20; i += 1) {
        const { status, headers } = await open(path, WRONG);
        assert.equal(status, 401);
        assert.match(String(headers['ratelimit']), /failed-tries/);
      }
      for (const again of ['/session', path]) {
        const reply = await open(again, KEYS.operator);
        assert.deepEqual([reply.status, reply.body.code], [429, 'too_many_sign_ins']);
        assert.deepEqual(setCookies(reply), []);
      }
    });

    it(`demands a session at ${path} of whoever reads or ends one`, async () => {
      for (const method of ['get', 'delete'] as const) {
        const { status, body } = await new Browser(desk).send(method, path);
        assert.deepEqual([status, body.code], [401, 'unauthenticated'], method);
      }
      const alice = await desk.browser(KEYS.operator);
      const { body } = await alice.send('get', path);
      assert.equal(body.principal, 'alice');
      const ended = await alice.send('delete', path).set('X-CSRF-Token', alice.csrf);
      assert.equal(ended.status, 204);
      assert.equal((await alice.send('get', path)).status, 401);
    });
  }

  it('limits every sign-in at /session//', async () => {
    for (let i = 0; i < 120; i += 1) {
      assert.equal((await open('/session//', KEYS.operator)).status, 200);
    }
    const { status, body } = await open('/session//', KEYS.operator);
    assert.deepEqual([status, body.accepted], [429, 'at most 120 sign-ins a minute']);
  });

  for (const path of ['/session%2F', '/session/%2F', '/session/%2f/', '/session///']) {
    it(`opens nothing at ${path}`, async () => {
      for (const method of ['get', 'post', 'delete'] as const) {
        const reply = await new Browser(desk).send(method, path).send({ key: KEYS.operator });
        assert.deepEqual([reply.status, reply.body.code], [404, 'not_found'], method);
        assert.deepEqual(setCookies(reply), []);
      }
    });
  }

  for (const path of ['/session/login', '/session/login/', '/session/LOGIN']) {
    it(`limits the ways to the issuer at ${path}, which only browsers go`, async () => {
      const elsewhere = await lead(path).set('Sec-Fetch-Mode', 'no-cors');
      assert.equal(elsewhere.headers['location'], '/inbox?sign_in=cross_site');
      for (let i = 0; i < 20; i += 1) assert.equal((await lead(path)).status, 303);
      const { headers } = await lead(path);
      assert.equal(headers['location'], '/inbox?sign_in=too_many_sign_ins');
    });
  }
});
