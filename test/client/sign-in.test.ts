import assert from 'node:assert/strict';
import { Agent, Operator, type ConnectionOptions } from '../../client/index.js';
import { withServer } from './support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from './support/samples.js';

const ANSWER = { suspension_id: SUSPENSION_ID, value: 'approve' };
const RESPOND = `POST /v1/intents/${INTENT_ID}/suspend/respond`;
const SILENT = { warn: () => undefined };

/** How the requests of one answer sign in, of which the first is lost. */
async function signedIn(options: Omit<ConnectionOptions, 'baseUrl'>) {
  return withServer(async (server, pauses) => {
    server.on(RESPOND, 'cut', { body: { ...ANSWER, resolution: 'responded' } });
    const timers = { pause: pauses.pause };
    const operator = new Operator({ baseUrl: server.url, timers, logger: SILENT, ...options });
    await operator.respond(INTENT_ID, ANSWER);
    return server
      .requests(RESPOND)
      .map(({ headers }) => [headers['x-api-key'], headers['authorization']]);
  });
}

describe('the sign-in of a client', () => {
  it('sends a key', async () => {
    const key = ['key', undefined];
    assert.deepEqual(await signedIn({ apiKey: 'key' }), [key, key]);
  });

  it('sends a bearer token and no key', async () => {
    const token = [undefined, 'Bearer abc'];
    assert.deepEqual(await signedIn({ token: 'abc' }), [token, token]);
  });

  it('asks for a token before each try', async () => {
    let asked = 0;
    const token = () => Promise.resolve(`token-${(asked += 1)}`);
    assert.deepEqual(await signedIn({ token }), [
      [undefined, 'Bearer token-1'],
      [undefined, 'Bearer token-2'],
    ]);
  });

  it('fails as the function fails that gets the token, without a request', () =>
    withServer(async (server) => {
      const token = () => Promise.reject(new Error('the issuer is away'));
      const agent = new Agent({ baseUrl: server.url, token });
      await assert.rejects(agent.createIntent({ title: 'T' }), /the issuer is away/);
      assert.deepEqual(server.requests('POST /v1/intents'), []);
    }));

  for (const options of [{}, { apiKey: 'key', token: 'abc' }]) {
    it(`is refused with ${JSON.stringify(options)}`, () => {
      const make = () => new Agent({ baseUrl: 'http://127.0.0.1:4000', ...options });
      assert.throws(make, { name: 'TypeError', message: /by apiKey or by token/ });
    });
  }

  it('is refused with a key that no header can carry, which is not repeated', () => {
    for (const apiKey of ['dev-agent-…', 'two\nlines']) {
      const make = () => new Agent({ baseUrl: 'http://127.0.0.1:4000', apiKey });
      assert.throws(make, {
        name: 'TypeError',
        message: /^apiKey has a character (?!.*dev-agent)/,
      });
    }
  });
});
