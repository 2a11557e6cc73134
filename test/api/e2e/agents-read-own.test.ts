import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { REFUND, RealStack, createIntent, type KeyName } from '../../support/real-stack.js';

/** Agents that have nothing to do with what the first one makes. */
const OTHERS = ['agent2', 'assistant'] as const;

describe('where agents read only their own', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ authorization: { agents_read: 'own' } });
  });
  after(() => stack.close());

  async function assertForbidden(paths: readonly string[], keys: readonly KeyName[]) {
    for (const path of paths) {
      for (const key of keys) {
        const { status, body } = await stack.get(path, key);
        assert.deepEqual([status, body.code], [403, 'forbidden'], `${key} ${path}`);
      }
    }
  }

  it('lets no agent write, or ask, its way to an intent that it may not read', async () => {
    const intent = await createIntent(stack);
    const id = intent.slice('/v1/intents/'.length);
    const twin = `/api/v1/intents/${id}`;
    const state = { patches: [{ op: 'set', path: '/a', value: 1 }] };
    const record = { id: randomUUID(), question: 'Go?', response_type: 'confirm' };
    const asking = { patches: [{ op: 'set', path: '_suspension', value: record }] };
    const mine = await stack.post('/v1/portfolios', 'agent2', { name: 'Mine' });
    assert.equal(mine.status, 201, JSON.stringify(mine.body));
    const escalating = { portfolio_id: mine.body.id, suspension_policy: 'escalate' };
    const writes: readonly [path: string, body: object][] = [
      ['/v1/coordinators', { ...escalating, own_intent_id: id }],
      [`${intent}/suspend`, REFUND],
      [`${intent}/status`, { status: 'completed' }],
      [`${intent}/state`, state],
      [`${intent}/events`, { event_type: 'comment', payload: {} }],
      [`${intent}/leases`, { scope: 'all', duration_seconds: 60 }],
      [`${intent}/engagement`, {}],
      [`${intent}/children`, { title: 'A child' }],
      [`${twin}/status`, { status: 'suspended_awaiting_input' }],
      [`${twin}/state`, asking],
      [`${twin}/events`, { event_type: 'comment' }],
      [`${twin}/leases`, { scope: 'all', duration_seconds: 60 }],
      [`${twin}/children`, { title: 'A child' }],
      [`${twin}/decisions`, { decision_type: 'route', outcome: 'a', reasoning: 'b' }],
      [`${twin}/arbitrate`, { reason: 'two agents disagree' }],
      [`${twin}/escalations`, { reason: 'stuck' }],
      [`${twin}/agents`, { agent_id: 'agent-2' }],
      [`${twin}/approvals`, { action: 'complete', reason: 'done' }],
      ['/v1/intents', { title: 'A child', parent_intent_id: id }],
      ['/v1/intents', { title: 'It waits', depends_on: [id] }],
      ['/v1/portfolios', { name: 'All', intents: [{ intent_id: id }] }],
      ['/v1/tasks', { intent_id: id, name: 'review' }],
      ['/v1/plans', { intent_id: id, tasks: [] }],
    ];
    for (const [path, body] of writes) {
      for (const key of OTHERS) {
        // Stale or not: the version of the intent is not said either.
        for (const version of ['1', '9999']) {
          const reply = await stack.post(path, key, body, { 'If-Match': version });
          const about = `${key} ${path} ${JSON.stringify(reply.body)}`;
          assert.equal(reply.status, 403, about);
          assert.equal(reply.body.state?.current_version, undefined, about);
        }
      }
    }
    await assertForbidden(
      ['', '/events', '/tasks', '/plans'].map((read) => `${intent}${read}`),
      OTHERS,
    );
    const { body } = await stack.get(intent);
    assert.deepEqual([body.version, body.status, body.state], [1, 'active', {}]);
    const log = `${intent}/events?limit=1000`;
    const { events } = await readFresh<{ events: unknown[] }>(stack, log);
    assert.equal(events.length, 1);
  });

  it('lets an agent write what it owns, asks, or an entry of a list names it for', async () => {
    const intent = await createIntent(stack);
    const acl = `/api/v1/intents/${intent.slice('/v1/intents/'.length)}/acl`;
    const entries = [{ principal_id: 'agent-2', permission: 'write' }];
    const granted = await stack.put(acl, 'agent', { default_policy: 'closed', entries });
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    const version = { 'If-Match': '1' };
    const state = { patches: [{ op: 'set', path: '/a', value: 1 }] };
    const patched = await stack.post(`${intent}/state`, 'agent2', state, version);
    assert.deepEqual([patched.status, patched.body.state], [200, { a: 1 }]);
    const asked = await stack.post(`${intent}/suspend`, 'agent2', REFUND);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    await lookUntil(
      async () =>
        (await stack.get('/v1/suspensions?limit=5', 'agent2')).body.suspensions.length > 0,
      'the store does not know the question',
    );
    const revoked = await stack.delete(`${acl}/entries/${granted.body.entries[0].id}`, 'agent');
    assert.equal(revoked.status, 204);
    assert.equal((await stack.get(intent, 'agent2')).status, 200);
    const assigned = await stack.post(acl.replace('/acl', '/agents'), 'agent2', {
      agent_id: 'agent-2',
    });
    assert.deepEqual([assigned.status, assigned.body.code], [403, 'forbidden']);
    const withdrawn = await stack.post(`${intent}/suspend/cancel`, 'agent2', {});
    assert.equal(withdrawn.status, 200, JSON.stringify(withdrawn.body));
    await lookUntil(
      async () => (await stack.get(intent, 'agent2')).status === 403,
      'who asked before still reads the intent',
    );
  });

  it('names no member of a portfolio that the reader may not read', async () => {
    const intent_id = (await createIntent(stack)).slice('/v1/intents/'.length);
    const intents = [{ intent_id }];
    const made = await stack.post('/v1/portfolios', 'agent', { name: 'Refunds', intents });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const portfolio = `/v1/portfolios/${made.body.id}`;
    const own = await stack.post('/v1/intents', 'agent2', { title: 'Its own' });
    const foreign = await stack.post(`${portfolio}/intents`, 'agent2', { intent_id });
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    const added = await stack.post(`${portfolio}/intents`, 'agent2', { intent_id: own.body.id });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const named = async (key: KeyName) => {
      const log = `${portfolio}/events`;
      const { events } = await readFresh<{ events: IntentEvent[] }>(stack, log, key);
      return events.flatMap(({ payload }) => payload['intent_id'] ?? []).sort();
    };
    assert.deepEqual(await named('agent2'), [own.body.id]);
    assert.deepEqual(await named('agent'), [intent_id]);
    assert.deepEqual(await named('operator'), [intent_id, own.body.id].sort());
  });
});
