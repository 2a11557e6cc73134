import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { loadConfig } from '../../../runtime/config.js';
import { withStore, type TestStore } from '../../support/store.js';
import { KEYS } from '../support/harness.js';
import { Browser, Desk, setCookies } from './support.js';

const NOW = Date.parse('2026-03-24T10:00:00.000Z');
const STRANGER = '203.0.113.7';
const PERSON = '203.0.113.8';
/** Where the proxy of these tests is, and one before it. */
const NEAR = '127.0.0.1';
const FAR = '192.0.2.5';

describe('a proxy in front of the API', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());

  /** What a person is told after a stranger behind the same proxies has failed as often as is let pass. */
  async function afterGuesses(trusted_proxies: readonly string[], before = ''): Promise<number> {
    const desk = new Desk(store, { now: NOW }, { trusted_proxies });
    const signIn = async (address: string, key: string): Promise<number> => {
      const forwarded = `${address}${before}`;
      const sent = new Browser(desk).send('post', '/session').set('X-Forwarded-For', forwarded);
      return (await sent.send({ key })).status;
    };
    for (let nth = 0; nth < 20; nth += 1) await signIn(STRANGER, 'nobody-has-this-key');
    assert.equal(await signIn(STRANGER, KEYS.operator), 429);
    return signIn(PERSON, KEYS.operator);
  }

  it('lets people sign in whatever strangers do, if it is trusted', async () => {
    assert.equal(await afterGuesses([NEAR]), 200);
    assert.equal(await afterGuesses(['loopback', '192.0.2.0/24'], `, ${FAR}`), 200);
  });

  it('chooses no address, if it is not trusted', async () => {
    assert.equal(await afterGuesses(['192.0.2.0/24']), 429);
    assert.equal(await afterGuesses([]), 429);
    assert.equal(await afterGuesses(['loopback'], `, ${FAR}`), 429);
  });

  it('says whether the browser came over https, if it is trusted', async () => {
    for (const [proxy, isSecure] of [
      [NEAR, true],
      [FAR, false],
    ] as const) {
      const browser = new Browser(new Desk(store, { now: NOW }, { trusted_proxies: [proxy] }));
      browser.headers['X-Forwarded-Proto'] = 'https';
      const [cookie] = setCookies(await browser.signIn({ key: KEYS.operator }));
      assert.equal(cookie?.startsWith('__Host-'), isSecure);
    }
  });

  for (const good of ['loopback', 'uniquelocal', '10.0.0.1', 'fd00::/8', '::1', '10.0.0.0/8']) {
    it(`may be ${good}`, () => {
      const config = { trusted_proxies: [good] };
      assert.doesNotThrow(() => new Desk(store, { now: 0 }, config));
    });
  }

  for (const bad of ['proxy.example.com', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0', '*', '']) {
    it(`may not be "${bad}"`, () => {
      const { error } = serverConfigSchema.safeParse({ trusted_proxies: [bad] });
      assert.deepEqual(error?.issues[0]?.path, ['trusted_proxies', 0]);
    });
  }

  it('is on this machine unless the configuration says otherwise', () => {
    assert.deepEqual(serverConfigSchema.parse({}).trusted_proxies, ['loopback']);
  });

  it('is none under npm start, unless the configuration names one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-proxies-'));
    const read = (listed: string, file = '') => {
      writeFileSync(path.join(folder, 'openintent.yaml'), file);
      return loadConfig({ HOLDPOINT_TRUSTED_PROXIES: listed }, folder).trusted_proxies;
    };
    try {
      assert.deepEqual(read('none'), []);
      assert.deepEqual(read('none', 'trusted_proxies: [10.0.0.1]'), ['10.0.0.1']);
      assert.deepEqual(read('10.0.0.1, fd00::/8'), ['10.0.0.1', 'fd00::/8']);
      assert.deepEqual(read(''), ['loopback']);
      assert.throws(
        () => read('everybody'),
        /^StartupError: HOLDPOINT_TRUSTED_PROXIES must be none/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
