import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WORKFLOW_TYPES } from '../../../contracts/constants/names.js';
import type { Subscription } from '../../../contracts/subscription/subscription.js';
import { createRig, rigOver } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';

describe('webhook subscriptions in the OpenIntent API', () => {
  const sent = {
    intent_id: INTENT_ID,
    portfolio_id: null,
    subscriber_id: '',
    event_types: [],
    webhook_url: 'https://example.com/hook',
    expires_at: '2027-01-01T00:00:00',
  };

  it('are made of what the SDK sends, with its times in UTC', async () => {
    const secrets = [`whsec_${Buffer.alloc(24, 'a').toString('base64')}`];
    const rig = rigOver({ config: { subscriptions: { secrets } } });
    const reply = await rig.send('agent', 'post', '/api/v1/subscriptions').send(sent);
    assert.equal(reply.status, 200);
    assert.match(String(reply.body.createdAt), /\.\d{6}$/);
    const started = rig.sent.find(({ name }) => name === WORKFLOW_TYPES.subscription);
    const [{ args }] = started?.args as [{ args: [{ subscription: Subscription }] }];
    assert.deepEqual(args[0].subscription, {
      id: reply.body.id,
      intent_id: INTENT_ID,
      portfolio_id: null,
      subscriber_id: 'refund-agent',
      event_types: [],
      webhook_url: sent.webhook_url,
      active: true,
      expires_at: '2027-01-01T00:00:00.000Z',
      created_by: 'refund-agent',
      created_at: '2026-01-01T00:00:00.000Z',
      ended_at: null,
      end_reason: null,
    });
  });

  it('are listed under their name, and removed', async () => {
    const rig = createRig();
    const list = await rig.send('agent', 'get', `/api/v1/subscriptions?intent_id=${INTENT_ID}`);
    assert.equal(list.body.subscriptions.length, 1);
    const asked = rig.asked.find(({ name }) => name === 'listSubscriptions');
    const own = { created_by: 'refund-agent' };
    assert.deepEqual(asked?.args, [{ limit: 1_000, offset: 0, intent_id: INTENT_ID, ...own }]);
    const path = `/api/v1/subscriptions/${EXAMPLES.subscription.id}`;
    assert.equal((await rig.send('agent', 'delete', path)).status, 200);
    const none = { ...sent, webhook_url: null };
    const refused = await rig.send('agent', 'post', '/api/v1/subscriptions').send(none);
    assert.equal(refused.status, 422);
  });
});
