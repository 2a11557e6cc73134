import assert from 'node:assert/strict';
import { RefusalError } from '../../../../api/errors.js';
import { checkSubscribe } from '../../../../api/usecases/subscription/subscriptions.js';
import { serverConfigSchema } from '../../../../contracts/server/config.js';
import { subscribeRequestSchema } from '../../../../contracts/subscription/subscription.js';

const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;
const NOW = Date.UTC(2026, 10, 21);

function refusalOf(webhook_url: string, subscriptions: object, expires_at?: string): unknown {
  const request = subscribeRequestSchema.parse({ webhook_url, expires_at });
  try {
    checkSubscribe(request, serverConfigSchema.parse({ subscriptions }), NOW);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RefusalError);
    return [error.refusal.code, error.refusal.field];
  }
}

describe('a request for a subscription', () => {
  it('is refused if the server has no secret to sign with', () => {
    const refused = refusalOf('https://example.com', {});
    assert.deepEqual(refused, ['webhooks_not_configured', undefined]);
    assert.equal(refusalOf('https://example.com', { secrets: [SECRET] }), undefined);
  });

  it('is refused without TLS', () => {
    for (const webhook_url of ['http://10.0.0.1/events', 'http://example.com', 'ftp://a.example']) {
      assert.equal(subscribeRequestSchema.safeParse({ webhook_url }).success, false);
    }
  });

  it('may reach no private network, whatever the configuration says', () => {
    const subscriptions = { secrets: [SECRET], allow_private_network: true };
    assert.equal(serverConfigSchema.safeParse({ subscriptions }).success, false);
  });

  it('is refused if it would be over already, or not within a hundred years', () => {
    const ending = (expires_at: string) =>
      refusalOf('https://example.com', { secrets: [SECRET] }, expires_at);
    assert.deepEqual(ending('2026-11-21T00:00:00Z'), ['deadline_in_past', 'expires_at']);
    assert.deepEqual(ending('9999-12-31T00:00:00Z'), ['invalid_request', 'expires_at']);
    assert.equal(ending('2126-11-20T00:00:00Z'), undefined);
  });
});
