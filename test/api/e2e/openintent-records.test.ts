import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { KeyName } from '../../support/real-stack.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import request from 'supertest';

const AGENT = { 'X-Agent-ID': 'refunder' };
const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

describe('what the OpenIntent API keeps and returns', () => {
  let stack: RealStack;
  let intent: string;
  let id: string;
  before(async () => {
    stack = await RealStack.start();
    const created = await stack.post('/api/v1/intents', 'agent', { title: 'Refund' }, AGENT);
    id = String(created.body.id);
    intent = `/api/v1/intents/${id}`;
  });
  after(() => stack.close());

  const send = (method: 'put' | 'delete', path: string, as: KeyName = 'agent') =>
    request(stack.app)[method](path).set('X-API-Key', KEYS[as].key).set(AGENT);
  const post = (path: string, body: object, as: KeyName = 'agent') =>
    stack.post(path, as, body, AGENT).expect(200);
  const get = (path: string) => stack.get(path).expect(200);

  it('decisions, and requests to arbitrate', async () => {
    const body = { decision_type: 'refund', outcome: 'pay', reasoning: 'small' };
    const decision = (await post(`${intent}/decisions`, body)).body;
    const { id: _id, created_at, ...rest } = decision;
    assert.match(created_at, NAIVE);
    assert.deepEqual(rest, { ...body, intent_id: id, decision_maker_id: 'agent-1' });
    assert.deepEqual((await get(`${intent}/decisions`)).body.decisions, [decision]);
    const asked = (await post(`${intent}/arbitrate`, { reason: 'two of them', context: { a: 1 } }))
      .body;
    assert.deepEqual([asked.requester_id, asked.status], ['agent-1', 'pending']);
    const missing = await stack.post(`${intent}/decisions`, 'agent', {});
    assert.equal(missing.status, 422);
  });

  it('escalations, until somebody resolves them', async () => {
    const body = { reason: 'stuck', priority: 'high', urgency: 'now', context: {} };
    const escalation = (await post(`${intent}/escalations`, { ...body, escalated_by: 'refunder' }))
      .body;
    assert.deepEqual([escalation.status, escalation.escalated_by], ['pending', 'refunder']);
    assert.deepEqual((await get(`/api/v1/escalations?intent_id=${id}`)).body.escalations, [
      escalation,
    ]);
    const resolve = `/api/v1/escalations/${String(escalation.id)}/resolve`;
    const resolved = (await post(resolve, { resolution: 'done', notes: 'by phone' }, 'operator'))
      .body;
    assert.deepEqual(
      [resolved.status, resolved.resolved_by, resolved.resolution, resolved.resolution_notes],
      ['resolved', 'alice', 'done', 'by phone'],
    );
    assert.match(resolved.resolved_at, NAIVE);
    assert.deepEqual((await get('/api/v1/escalations?status=resolved')).body.escalations, [
      resolved,
    ]);
    assert.deepEqual((await get('/api/v1/escalations?status=pending')).body.escalations, []);
    for (const unknown of ['nothing', `${id}.nothing`]) {
      const path = `/api/v1/escalations/${unknown}/resolve`;
      const reply = await stack.post(path, 'operator', { resolution: 'x' });
      assert.deepEqual(
        [reply.status, reply.body],
        [404, { detail: 'Escalation not found', code: 'not_found' }],
      );
    }
  });

  it('a governance policy, under If-Match', async () => {
    const policy = { completion_mode: 'require_approval', allowed_agents: ['refunder'] };
    const { version } = (await get(intent)).body;
    const missing = await send('put', `${intent}/governance`).send(policy);
    assert.equal(missing.status, 400);
    const set = await send('put', `${intent}/governance`).set('If-Match', version).send(policy);
    assert.deepEqual([set.status, set.body.version], [200, Number(version) + 1]);
    assert.deepEqual(set.body.governance_policy, policy);
    assert.deepEqual((await get(`${intent}/governance`)).body, policy);
    const stale = await send('delete', `${intent}/governance`).set('If-Match', version);
    assert.equal(stale.status, 409);
    const removed = await send('delete', `${intent}/governance`).set('If-Match', set.body.version);
    assert.deepEqual([removed.status, removed.body.governance_policy], [200, null]);
    assert.deepEqual((await get(`${intent}/governance`)).body, {});
    const created = (await post('/api/v1/intents', { title: 'Ruled', governance_policy: policy }))
      .body;
    assert.deepEqual(created.governance_policy, policy);
  });

  it('an access list', async () => {
    assert.deepEqual((await get(`${intent}/acl`)).body, {
      intent_id: id,
      default_policy: 'open',
      entries: [],
    });
    const list = { default_policy: 'closed', entries: [{ principal_id: 'a', permission: 'read' }] };
    const set = (await send('put', `${intent}/acl`).send(list).expect(200)).body;
    assert.deepEqual([set.default_policy, set.entries[0].granted_by], ['closed', 'agent-1']);
    const entry = (await post(`${intent}/acl/entries`, { principal_id: 'b', permission: 'admin' }))
      .body;
    assert.deepEqual((await get(`${intent}/acl`)).body.entries, [...set.entries, entry]);
    const path = `${intent}/acl/entries/${String(entry.id)}`;
    assert.deepEqual((await send('delete', path)).status, 204);
    assert.deepEqual((await send('delete', path)).status, 404);
    assert.deepEqual((await get(`${intent}/acl`)).body.entries, set.entries);
    const wrong = await stack.post(`${intent}/acl/entries`, 'agent', { permission: 'all' });
    assert.equal(wrong.status, 422);
  });

  it('the agents of an intent', async () => {
    const assigned = (await post(`${intent}/agents`, { agent_id: 'helper' })).body;
    assert.deepEqual([assigned.agent_id, assigned.role], ['helper', 'worker']);
    assert.match(assigned.assigned_at, NAIVE);
    assert.deepEqual((await get(`${intent}/agents`)).body, [assigned]);
    assert.equal((await send('delete', `${intent}/agents/helper`)).status, 200);
    assert.equal((await send('delete', `${intent}/agents/helper`)).status, 404);
    assert.deepEqual((await get(`${intent}/agents`)).body, []);
  });
});
