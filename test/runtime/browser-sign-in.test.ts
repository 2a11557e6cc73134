import assert from 'node:assert/strict';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { clientSecretVariables, loadBrowserSignIn } from '../../runtime/browser-sign-in.js';

const SIGN_IN = { issuer: 'https://id.example.com', audience: 'https://holdpoint.example' };
const CLIENT = { client_id: 'inbox', client_secret: '$INBOX_SECRET' };
const PUBLIC = 'https://holdpoint.example';

const configOf = (more: object) => serverConfigSchema.parse(more);

describe('signing in at an issuer, as it is configured', () => {
  it('is no way in unless the API is a client of the issuer', () => {
    for (const config of [configOf({}), configOf({ sign_in: SIGN_IN })]) {
      assert.equal(loadBrowserSignIn(config, {}), undefined);
      assert.deepEqual(clientSecretVariables(config), []);
    }
  });

  it('takes the secret from its environment variable', () => {
    const config = configOf({ public_url: PUBLIC, sign_in: { ...SIGN_IN, browser: CLIENT } });
    assert.deepEqual(clientSecretVariables(config), ['INBOX_SECRET']);
    const found = loadBrowserSignIn(config, { INBOX_SECRET: 'hidden' });
    assert.deepEqual([found?.clientSecret, found?.publicUrl], ['hidden', PUBLIC]);
    assert.equal(found?.browser.claims_from, 'id_token');
    assert.throws(() => loadBrowserSignIn(config, {}), /INBOX_SECRET is not set/);
  });

  it('needs no secret for a client without one, and an address in any case', () => {
    const sign_in = { ...SIGN_IN, browser: { client_id: 'inbox' } };
    const found = loadBrowserSignIn(configOf({ public_url: PUBLIC, sign_in }), {});
    assert.equal(found?.clientSecret, undefined);
    assert.throws(() => loadBrowserSignIn(configOf({ sign_in }), {}), /needs public_url/);
  });

  it('takes no secret in clear text', () => {
    const browser = { ...CLIENT, client_secret: 'in clear text' };
    const { success } = serverConfigSchema.safeParse({ sign_in: { ...SIGN_IN, browser } });
    assert.equal(success, false);
  });
});
