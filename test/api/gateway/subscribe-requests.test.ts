import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import { checkSubscribe } from '../../../api/gateway/subscribe-requests.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import { subscribeRequestSchema } from '../../../contracts/subscription.js';

const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;
const NOW = Date.UTC(2026, 10, 21);

function refusalOf(webhook_url: string, subscriptions: object): unknown {
  const request = subscribeRequestSchema.parse({ webhook_url });
  try {
    checkSubscribe(request, serverConfigSchema.parse({ subscriptions }), NOW);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RefusalError);
    return [error.refusal.code, error.refusal.field];
  }
}

describe('a request for a subscription', () => {
  it('is refused where the server has no secret to sign with', () => {
    const refused = refusalOf('https://example.com', {});
    assert.deepEqual(refused, ['webhooks_not_configured', undefined]);
    assert.equal(refusalOf('https://example.com', { secrets: [SECRET] }), undefined);
  });

  it('is refused without TLS, unless private networks are allowed', () => {
    const refused = refusalOf('http://10.0.0.1/events', { secrets: [SECRET] });
    assert.deepEqual(refused, ['invalid_request', 'webhook_url']);
    const open = { secrets: [SECRET], allow_private_network: true };
    assert.equal(refusalOf('http://10.0.0.1/events', open), undefined);
  });
});
