import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';

const AT = '2026-11-20T10:00:00.000000';

describe('agents in the OpenIntent API', () => {
  it('register with what the SDK sends, and are returned', async () => {
    const rig = createRig();
    const body = { agent_id: 'helper', capabilities: ['pay'], heartbeat_config: {}, name: null };
    const made = await rig.send('agent', 'post', '/api/v1/agents/register').send(body);
    assert.deepEqual(
      [made.status, made.body.agent_id, made.body.registered_at],
      [200, 'helper', AT],
    );
    const request = rig.calls[0]?.args[1] as { heartbeat_config: object };
    assert.deepEqual(request.heartbeat_config, {
      interval_seconds: 30,
      unhealthy_after_seconds: 90,
      dead_after_seconds: 300,
    });
    const listed = await rig.send('agent', 'get', '/api/v1/agents?status=active&role_id=r');
    assert.equal(listed.body[0].last_heartbeat_at, null);
    assert.deepEqual(rig.calls[1]?.args, [{ status: 'active', role_id: 'r' }]);
    const read = await rig.send('agent', 'get', '/api/v1/agents/helper/record');
    assert.equal(read.body.version, 1);
  });

  it('send heartbeats, and describe themselves', async () => {
    const rig = createRig();
    const beat = await rig.send('agent', 'post', '/api/v1/agents/helper/heartbeat');
    const next = { server_timestamp: AT, next_heartbeat_at: AT };
    assert.deepEqual(beat.body, { status: 'ok', ...next });
    const path = '/api/v1/agents/helper/status';
    const moved = await rig.send('agent', 'patch', path).send({ status: 'draining' });
    assert.equal(moved.status, 200);
    assert.deepEqual(rig.calls[1]?.args.slice(1), ['helper', 'draining']);
    assert.equal((await rig.send('agent', 'patch', path).send({ status: 'gone' })).status, 422);
  });
});

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
    const rig = createRig();
    const reply = await rig.send('agent', 'post', '/api/v1/subscriptions').send(sent);
    assert.deepEqual([reply.status, reply.body.id], [200, EXAMPLES.subscription.id]);
    assert.match(String(reply.body.createdAt), /\.\d{6}$/);
    assert.deepEqual(rig.calls[0]?.args[1], {
      intent_id: INTENT_ID,
      event_types: [],
      webhook_url: sent.webhook_url,
      expires_at: '2027-01-01T00:00:00Z',
    });
  });

  it('are listed under their name, and removed', async () => {
    const rig = createRig();
    const list = await rig.send('agent', 'get', `/api/v1/subscriptions?intent_id=${INTENT_ID}`);
    assert.equal(list.body.subscriptions.length, 1);
    assert.deepEqual(rig.calls[0]?.args[1], { limit: 1_000, offset: 0, intent_id: INTENT_ID });
    const path = `/api/v1/subscriptions/${EXAMPLES.subscription.id}`;
    assert.equal((await rig.send('agent', 'delete', path)).status, 200);
    const none = { ...sent, webhook_url: null };
    const refused = await rig.send('agent', 'post', '/api/v1/subscriptions').send(none);
    assert.equal(refused.status, 422);
  });
});
