import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'mocha';
import { subscriptionSecret } from '../../../domain/subscription/subscription.js';

const ID = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const OTHER_ID = '1b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const KEY = Buffer.alloc(24, 'a');
const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`;

describe('the secret of a subscription', () => {
  it('is an HMAC of its id under a secret of the installation', () => {
    const text = `holdpoint webhook subscription ${ID}`;
    const digest = createHmac('sha256', KEY).update(text).digest();
    assert.equal(subscriptionSecret(secretOf(KEY), ID), secretOf(digest));
  });

  it('is the same each time, and another for each subscription and installation', () => {
    const [one, again] = [ID, ID].map((id) => subscriptionSecret(secretOf(KEY), id));
    assert.equal(one, again);
    const others = [
      subscriptionSecret(secretOf(KEY), OTHER_ID),
      subscriptionSecret(secretOf(Buffer.alloc(25, 'a')), ID),
      subscriptionSecret(secretOf(Buffer.alloc(64, 'b')), ID),
    ];
    assert.equal(new Set([one, ...others, secretOf(KEY)]).size, 5);
  });
});
