import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { startServer, type RunningServer } from '../../../api/server.js';
import { freePort } from '../../../temporal-config/ports.js';
import { CLIENT } from '../../support/issuer-login.js';
import { LoginIssuer, Visitor } from '../../support/login-issuer.js';
import { withStore, type TestStore } from '../../support/store.js';
import { Desk } from './support.js';

const PEOPLE = {
  alice: { roles: ['operator'], groups: ['finance'] },
  helper: { roles: ['agent'] },
};

describe('signing in at an issuer', () => {
  let store: TestStore;
  let issuer: LoginIssuer;
  let server: RunningServer;
  let desk: Desk;
  let site: string;
  const time = { now: Date.now() };

  before(async () => {
    store = await withStore();
    const port = await freePort('127.0.0.1');
    site = `http://127.0.0.1:${port}`;
    issuer = await LoginIssuer.start(PEOPLE, `${site}/session/callback`, 'localhost');
    desk = new Desk(store, time, {
      public_url: site,
      sign_in: {
        issuer: issuer.url,
        audience: 'https://holdpoint.example',
        browser: { client_id: CLIENT.client_id, client_secret: '$INBOX_SECRET' },
      },
    });
    server = await startServer({ app: desk.rig.app, host: '127.0.0.1', port });
  });
  after(async () => {
    await server.close();
    await issuer.close();
    await store.close();
  });
  beforeEach(() => {
    time.now = Date.now();
  });

  const begin = (returnTo = '/inbox/q/1') => `${site}/session/login?return_to=${returnTo}`;
  const back = () => `${site}/session/callback`;
  const session = async (visitor: Visitor) => {
    const reply = await visitor.open(`${site}/session`);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };

  /** Where a request that comes back from an address is led. */
  async function came(address: string, headers: Readonly<Record<string, string>>) {
    const sent = request(`${back()}?code=guess&state=guess`, {
      headers: { ...headers, 'X-Forwarded-For': address },
    }).end();
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.resume();
    return reply.headers.location;
  }

  it('is offered', async () => {
    const reply = await fetch(`${site}/session/methods`);
    assert.deepEqual(await reply.json(), { key: true, oidc: true });
  });

  it('opens a session for who the issuer names, until its token expires', async () => {
    const visitor = new Visitor();
    const callback = await visitor.signIn(begin(), 'alice', back());
    const reply = await visitor.ask(callback);
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/inbox/q/1']);
    const { status, body } = await session(visitor);
    assert.deepEqual(
      [status, body['principal'], body['roles'], body['space']],
      [200, 'alice', ['operator'], 'default'],
    );
    const end = Date.parse(String(body['expires_at']));
    // Whole seconds from when the issuer made the token, without the tolerance for clocks that differ.
    const early = time.now + 1_800_000 - end;
    assert.ok(early > -30_000 && early < 30_000, String(body['expires_at']));
    assert.equal((await visitor.ask(`${site}/v1/suspensions`)).status, 200);
    const accepted = desk.login?.takeAccepted() ?? [];
    const { principal, roles, groups } = accepted.at(-1)?.caller ?? assert.fail();
    assert.deepEqual([principal, roles, groups], ['alice', ['operator'], ['finance']]);
    time.now = end;
    assert.equal((await session(visitor)).status, 401);
  });

  it('sends state, nonce and a challenge, and asks for the page of the inbox alone', async () => {
    const reply = await new Visitor().ask(begin());
    const query = new URL(reply.headers.get('location') ?? '').searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.ok((query.get(name) ?? '').length >= 43, name);
    }
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.equal(query.get('redirect_uri'), back());
    const [cookie = ''] = reply.headers.getSetCookie();
    assert.match(cookie, /^holdpoint_sign_in=[\w.-]+; .*Path=\/session; .*HttpOnly; SameSite=Lax$/);
    const secure = request(begin(), { headers: { 'X-Forwarded-Proto': 'https' } }).end();
    const [{ headers }] = (await once(secure, 'response')) as [IncomingMessage];
    const [hosts = ''] = headers['set-cookie'] ?? [];
    assert.match(hosts, /^__Host-holdpoint_sign_in=[\w.-]+; .*Path=\/; .*Secure; SameSite=Lax$/);
    for (const elsewhere of [
      'https://evil.example',
      '//evil.example',
      '/inbox/..//evil',
      '/docs',
      '/inbox/all%3Ftext=a%0D%0Ab',
      '/inbox%3Fto=//evil.example',
    ]) {
      const refused = await new Visitor().ask(begin(elsewhere));
      assert.equal(refused.headers.get('location'), '/inbox?sign_in=invalid_request', elsewhere);
    }
  });

  it('leads back to a list with what narrows it', async () => {
    const visitor = new Visitor();
    const list = '/inbox/all?text=valve+V-17&state=expired';
    const reply = await visitor.ask(
      await visitor.signIn(begin(encodeURIComponent(list)), 'alice', back()),
    );
    assert.equal(reply.headers.get('location'), list);
  });

  it('takes a code once, and from the browser alone that began', async () => {
    const [visitor, other] = [new Visitor(), new Visitor()];
    const callback = await visitor.signIn(begin(), 'alice', back());
    await other.ask(begin());
    for (const thief of [other, new Visitor()]) {
      const reply = await thief.ask(callback);
      assert.equal(reply.headers.get('location'), '/inbox?sign_in=sign_in_failed');
      assert.equal((await session(thief)).status, 401);
    }
    assert.equal((await visitor.ask(callback)).headers.get('location'), '/inbox/q/1');
    const again = await visitor.ask(callback);
    assert.equal(again.headers.get('location'), '/inbox?sign_in=sign_in_failed');
    assert.match(desk.rig.logged(), /"code":"sign_in_failed".*"login failed"/);
    const code = new URL(callback).searchParams.get('code') ?? 'none';
    assert.ok(!desk.rig.logged().includes(code));
  });

  it('fails for a forged state, a refusal at the issuer, and after ten minutes', async () => {
    const visitor = new Visitor();
    const callback = new URL(await visitor.signIn(begin(), 'alice', back()));
    const failed = async (query: string) =>
      (await visitor.ask(`${back()}?${query}`)).headers.get('location');
    const forged = new URLSearchParams(callback.searchParams);
    forged.set('state', 'a'.repeat(43));
    assert.equal(await failed(forged.toString()), '/inbox?sign_in=sign_in_failed');

    const denied = new Visitor();
    const begun = await denied.ask(begin());
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url });
    const reply = await denied.ask(`${back()}?${query.toString()}`);
    assert.equal(reply.headers.get('location'), '/inbox?sign_in=sign_in_failed');

    const late = new Visitor();
    const url = await late.signIn(begin(), 'alice', back());
    time.now += 600_001;
    const location = (await late.ask(url)).headers.get('location');
    assert.equal(location, '/inbox?sign_in=sign_in_failed');
  });

  it('ends the session that the browser had before', async () => {
    const visitor = new Visitor();
    await visitor.ask(await visitor.signIn(begin(), 'alice', back()));
    const before = new Map(visitor.jar.get('127.0.0.1'));
    await visitor.open(`${site}/inbox`);
    await visitor.ask(await visitor.signIn(begin(), 'alice', back()));
    const earlier = new Visitor();
    earlier.jar.set('127.0.0.1', before);
    const statuses = [await session(earlier), await session(visitor)].map(({ status }) => status);
    assert.deepEqual(statuses, [401, 200]);
  });

  it('is refused after too many failed tries from one address', async () => {
    const tried = (address: string) =>
      came(address, { 'Sec-Fetch-Mode': 'navigate', Cookie: 'holdpoint_sign_in=guess' });
    for (let i = 0; i < 20; i += 1) {
      assert.equal(await tried('192.0.2.7'), '/inbox?sign_in=sign_in_failed');
    }
    assert.equal(await tried('192.0.2.7'), '/inbox?sign_in=too_many_sign_ins');
    assert.equal(await tried('192.0.2.8'), '/inbox?sign_in=sign_in_failed');
  });

  it('is refused to what a page of another site loads, and counts no try', async () => {
    const image = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
    const frame = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
    for (const headers of [image, frame]) {
      for (let i = 0; i < 130; i += 1) {
        assert.equal(await came('192.0.2.20', headers), '/inbox?sign_in=cross_site');
      }
    }
    assert.equal(await came('192.0.2.20', {}), '/inbox?sign_in=sign_in_failed');
  });

  it('counts no try of who comes back without having begun', async () => {
    for (let i = 0; i < 25; i += 1) {
      assert.equal(await came('192.0.2.30', {}), '/inbox?sign_in=sign_in_failed');
    }
  });

  it('is refused to agents', async () => {
    const visitor = new Visitor();
    const reply = await visitor.ask(await visitor.signIn(begin(), 'helper', back()));
    assert.equal(reply.headers.get('location'), '/inbox?sign_in=forbidden');
    assert.equal((await session(visitor)).status, 401);
  });
});
