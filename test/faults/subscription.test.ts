import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { SEEDS } from '../support/secrets.js';
import { FaultStack } from './fault-stack.js';

describe('a webhook subscription under npm start, without any configuration', () => {
  let rig: FaultStack;
  before(async () => {
    rig = await FaultStack.start();
  });
  after(() => rig.close());

  async function subscribed(): Promise<Response> {
    const { id } = await rig.agent.createIntent({ title: 'Refund', status: 'active' });
    return fetch(`${rig.stack.apiUrl}/api/v1/subscriptions`, {
      method: 'POST',
      headers: { 'X-API-Key': SEEDS.agentKey, 'Content-Type': 'application/json' },
      // What the SDK sends.
      body: JSON.stringify({
        intent_id: id,
        portfolio_id: null,
        subscriber_id: 'agent-1',
        webhook_url: 'https://agents.example.com/hook',
        event_types: ['state_patched'],
        expires_at: null,
      }),
    });
  }

  it('is made, with a secret of its own, also after the API has come back', async () => {
    const first = await subscribed();
    assert.equal(first.status, 200, await first.clone().text());
    await rig.stack.kill('api');
    await rig.stack.untilReady();
    const second = await subscribed();
    assert.equal(second.status, 200, await second.clone().text());
    const bodies = (await Promise.all([first.json(), second.json()])) as { id: string }[];
    assert.notEqual(bodies[0]?.id, bodies[1]?.id);
  });
});
