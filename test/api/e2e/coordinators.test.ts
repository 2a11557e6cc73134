import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';

describe('coordinators over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  const idOf = (path: string): string => path.split('/').at(-1) ?? '';

  /** The escalation in the log of an intent, once it is there. */
  async function escalated(intent: string): Promise<IntentEvent> {
    const events = `${intent}/events?event_type=coordinator.escalation_required`;
    return lookUntil(async () => {
      const { body } = await stack.get(events);
      return (body as { events: readonly IntentEvent[] }).events[0];
    }, 'it did not escalate');
  }

  it('hold a lease, and escalate [R26-31, R26-34]', async () => {
    const intent = await createIntent(stack);
    const body = { intent_id: idOf(intent), suspension_policy: 'escalate', supervisor_id: 'alice' };
    const made = await stack.post('/v1/coordinators', 'agent', body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual([made.body.agent_id, made.body.status], ['agent-1', 'active']);
    const path = String(made.headers['location']);
    assert.deepEqual((await stack.get(path)).body, made.body);
    assert.deepEqual((await stack.get(`${intent}/coordinators`)).body.coordinators, [made.body]);
    const beat = await stack.post(`${path}/heartbeat`, 'agent', {});
    assert.deepEqual([beat.status, beat.body.status], [200, 'ok']);
    const foreign = await stack.post(`${path}/heartbeat`, 'agent2', {});
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'lease_not_found']);
    const { id } = await ask(stack, intent);
    const event = await escalated(intent);
    assert.deepEqual([event.payload['suspension_id'], event.actor], [id, 'holdpoint']);
  });

  it('follow the members of a portfolio [R26-31, R26-34]', async () => {
    const made = await stack.post('/v1/portfolios', 'agent', { name: 'Launch' });
    const portfolio_id = String(made.body.id);
    const body = { portfolio_id, suspension_policy: 'escalate' };
    const lease = await stack.post('/v1/coordinators', 'agent', body);
    assert.deepEqual([lease.status, lease.body.scope], [201, 'portfolio']);
    const intent = await createIntent(stack);
    const member = { intent_id: idOf(intent) };
    const joined = await stack.post(`/v1/portfolios/${portfolio_id}/intents`, 'agent', member);
    assert.equal(joined.status, 201, JSON.stringify(joined.body));
    const { id } = await ask(stack, intent);
    assert.equal((await escalated(intent)).payload['suspension_id'], id);
  });

  it('record what they decided, in their scope', async () => {
    const [intent, other] = [await createIntent(stack), await createIntent(stack)];
    const lease = await stack.post('/v1/coordinators', 'agent', { intent_id: idOf(intent) });
    const decision = {
      coordinator_id: lease.body.id,
      intent_id: idOf(intent),
      decision_type: 'plan_created',
      summary: 'Four tasks',
      rationale: 'No agent can do it alone',
    };
    const made = await stack.post('/v1/decisions', 'agent', decision);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, timestamp, ...kept } = made.body;
    assert.deepEqual(kept, { ...decision, alternatives_considered: [], confidence: null });
    assert.ok(id && timestamp);
    const listed = await stack.get(`${intent}/coordinator-decisions`);
    assert.deepEqual(listed.body.decisions, [made.body]);
    for (const [who, change, status, code] of [
      ['agent2', {}, 404, 'lease_not_found'],
      ['agent', { intent_id: idOf(other) }, 422, 'outside_scope'],
      ['agent', { coordinator_id: idOf(intent) }, 404, 'coordinator_not_found'],
      ['agent', { intent_id: randomUUID() }, 404, 'intent_not_found'],
      ['agent', { decision_type: 'guess' }, 422, 'invalid_request'],
    ] as const) {
      const refused = await stack.post('/v1/decisions', who, { ...decision, ...change });
      assert.deepEqual([refused.status, refused.body.code], [status, code]);
      assert.equal(refused.body.field, Object.keys(change)[0]);
    }
    const again = await stack.get(`${intent}/coordinator-decisions`);
    assert.equal(again.body.decisions.length, 1);
  });

  it('are refused what they cannot have', async () => {
    const intent_id = idOf(await createIntent(stack));
    const nobody = randomUUID();
    for (const [body, status, code] of [
      [{}, 422, 'invalid_request'],
      [{ intent_id, portfolio_id: nobody }, 422, 'invalid_request'],
      [{ intent_id, suspension_policy: 'ignore' }, 422, 'invalid_request'],
      [{ intent_id, expires_at: '2020-01-01' }, 422, 'deadline_in_past'],
      [{ intent_id, agent_id: 'agent-2' }, 403, 'forbidden'],
    ] as const) {
      const reply = await stack.post('/v1/coordinators', 'agent', body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body));
    }
    for (const [body, field, accepted] of [
      [{ intent_id: nobody }, 'intent_id', 'the id of an intent'],
      [{ intent_id, own_intent_id: nobody }, 'own_intent_id', 'the id of an intent'],
      [{ portfolio_id: intent_id }, 'portfolio_id', 'the id of a portfolio'],
    ] as const) {
      const reply = await stack.post('/v1/coordinators', 'agent', body);
      assert.equal(reply.status, 404, JSON.stringify(reply.body));
      assert.deepEqual([reply.body.field, reply.body.accepted], [field, accepted]);
    }
    for (const path of [nobody, `${nobody}/heartbeat`, intent_id, `${intent_id}/heartbeat`]) {
      const unknown = `/v1/coordinators/${path}`;
      const reply = await (path.includes('/')
        ? stack.post(unknown, 'agent', {})
        : stack.get(unknown));
      assert.deepEqual([reply.status, reply.body.code], [404, 'coordinator_not_found']);
    }
    const listed = await stack.get(`/v1/intents/${intent_id}/coordinators`);
    assert.deepEqual(listed.body.coordinators, []);
  });
});
