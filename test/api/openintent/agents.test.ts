import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WORKFLOW_TYPES } from '../../../contracts/constants/names.js';
import type { Subscription } from '../../../contracts/subscription/subscription.js';
import type { AgentRecord } from '../../../contracts/agent/agent.js';
import { createRig, rigOver } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';

const AT = '2026-01-01T00:00:00.000000';

describe('agents in the OpenIntent API', () => {
  /** An API that knows the agents that register. */
  function registry() {
    const known = new Map<string, AgentRecord>();
    const rig = rigOver({
      store: {
        changeAgent: async (id, rule) => {
          const changed = rule(known.get(id));
          if (changed) known.set(id, changed);
          return changed;
        },
        findAgent: async (id) => known.get(id),
        listAgents: async () => ({ rows: [...known.values()], more: false }),
      },
    });
    return { known, rig };
  }

  async function registered() {
    const { known, rig } = registry();
    const body = { agent_id: 'helper', capabilities: ['pay'], heartbeat_config: {}, name: null };
    const made = await rig.send('agent', 'post', '/api/v1/agents/register').send(body);
    return { known, rig, made };
  }

  it('register with what the SDK sends, and are returned', async () => {
    const { known, rig, made } = await registered();
    assert.deepEqual(
      [made.status, made.body.agent_id, made.body.registered_at],
      [200, 'helper', AT],
    );
    assert.deepEqual(known.get('helper')?.heartbeat_config, {
      interval_seconds: 30,
      unhealthy_after_seconds: 90,
      dead_after_seconds: 300,
    });
    const listed = await rig.send('agent', 'get', '/api/v1/agents?status=active');
    assert.deepEqual(
      (listed.body as AgentRecord[]).map((agent) => [agent.agent_id, agent.last_heartbeat_at]),
      [['helper', null]],
    );
    const none = await rig.send('agent', 'get', '/api/v1/agents?status=active&role_id=r');
    assert.deepEqual(none.body, []);
    const read = await rig.send('agent', 'get', '/api/v1/agents/helper/record');
    assert.equal(read.body.version, 1);
  });

  it('send heartbeats, and describe themselves', async () => {
    const { known, rig } = await registered();
    const beat = await rig.send('agent', 'post', '/api/v1/agents/helper/heartbeat');
    const next = { server_timestamp: AT, next_heartbeat_at: '2026-01-01T00:00:30.000000' };
    assert.deepEqual(beat.body, { status: 'ok', ...next });
    const path = '/api/v1/agents/helper/status';
    const moved = await rig.send('agent', 'patch', path).send({ status: 'draining' });
    assert.equal(moved.status, 200);
    assert.equal(known.get('helper')?.status, 'draining');
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
