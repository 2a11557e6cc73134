import assert from 'node:assert/strict';
import { createPublicKey, randomBytes } from 'node:crypto';
import { jwtVerify } from 'jose';
import { after, afterEach, before, describe, it } from 'mocha';
import { createPushSender, encrypted } from '../../../activities/push/sender.js';
import { ChannelError } from '../../../activities/channels/try-outcome.js';
import { pushConfigSchema } from '../../../contracts/people/noticing.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { loadPushKeys, newPushKey, pushSigner } from '../../../runtime/push-keys.js';
import { browserKeys } from './browser.js';
import { startPushService } from './service.js';

const NOTICE = { title: 'Input needed: Go?', body: 'Asked by a', tag: 't', path: '/inbox/q/1' };
const CONFIG = serverConfigSchema.parse({ public_url: 'https://holdpoint.example' });

describe('sending to a push service', () => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  const keys = loadPushKeys({ HOLDPOINT_PUSH_KEYS: newPushKey() });
  assert.ok(keys);
  const [{ publicKey }] = keys;
  const browser = browserKeys();
  before(async () => {
    service = await startPushService();
  });
  afterEach(() => {
    service.received.length = 0;
  });
  after(() => service.close());

  function push(endpoint: string, config: object = {}, public_key = publicKey) {
    const given = { hosts: [service.host], allow_private_network: true, ...config };
    const send = createPushSender(pushConfigSchema.parse(given), {
      encrypt: encrypted,
      sign: pushSigner(keys ?? assert.fail(), CONFIG),
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const { p256dh, auth } = browser;
    return send({
      target: { endpoint, p256dh, auth, public_key, shows_words: true },
      notice: NOTICE,
      seconds: 90.5,
      isUrgent: true,
      signal: new AbortController().signal,
    });
  }
  const kindOf = (error: unknown) =>
    error instanceof ChannelError && [error.kind, error.details.final ?? false];
  const fails = (sending: Promise<void>, kind: string, isFinal: boolean) =>
    assert.rejects(sending, (error) => {
      assert.deepEqual(kindOf(error), [kind, isFinal]);
      return true;
    });

  it('hands over what its browser alone can read, with the proof of who sends', async () => {
    await push(service.endpoint);
    const [got, ...others] = service.received;
    assert.ok(got && others.length === 0);
    assert.deepEqual(JSON.parse(browser.read(got.body)), NOTICE);
    const { ttl, urgency, topic } = got.headers;
    assert.deepEqual([ttl, urgency, got.headers['content-encoding']], ['90', 'high', 'aes128gcm']);
    assert.match(String(topic), /^[\w-]{32}$/);
    const [, token = '', key] =
      /^vapid t=(\S+), k=(\S+)$/.exec(String(got.headers['authorization'])) ?? [];
    assert.equal(key, publicKey);
    const point = Buffer.from(publicKey, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(token, createPublicKey({ format: 'jwk', key: jwk }), {
      audience: `http://${service.host}`,
    });
    assert.equal(payload.sub, 'https://holdpoint.example');
    assert.ok((payload.exp ?? Infinity) - Date.now() / 1_000 <= 86_400);
  });

  it('ends where the service does not know the browser any more', async () => {
    for (const status of [404, 410]) {
      service.replies.push({ status });
      await fails(push(service.endpoint), 'endpoint_gone', true);
    }
  });

  it('is tried again after any other refusal, as late as the service asks', async () => {
    service.replies.push({ status: 429, headers: { 'retry-after': '120' } });
    await assert.rejects(push(service.endpoint), (error) => {
      assert.ok(error instanceof ChannelError);
      assert.deepEqual([error.details.final, error.details.retryAfterMs], [undefined, 120_000]);
      return true;
    });
  });

  it('follows no redirect', async () => {
    service.replies.push({ status: 307, headers: { location: service.endpoint } });
    await fails(push(service.endpoint), 'response_not_2xx', false);
    assert.equal(service.received.length, 1);
  });

  it('goes to no host that is not allowed any more, and by no key that is gone', async () => {
    await fails(push(service.endpoint, { hosts: ['*.push.apple.com'] }), 'endpoint_gone', true);
    await fails(
      push(service.endpoint, {}, randomBytes(65).toString('base64url')),
      'endpoint_gone',
      true,
    );
    assert.deepEqual(service.received, []);
  });

  it('reaches no private address, whatever name leads there', async () => {
    const hosts = [service.host, 'fcm.googleapis.com'];
    const closed = { hosts, allow_private_network: false };
    await fails(push(service.endpoint, closed), 'endpoint_gone', true);
    await fails(push('https://fcm.googleapis.com/fcm/send/1', closed), 'address_refused', true);
    assert.deepEqual(service.received, []);
  });
});
