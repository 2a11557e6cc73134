import assert from 'node:assert/strict';
import { agentThatGets } from './support/recorded-agent.js';
import { describe, it } from 'mocha';
import { problemOf } from '../../api/http/problem.js';
import { HoldpointError } from '../../client/index.js';
import { EXAMPLES } from '../support/examples.js';

describe('the graph in the client', () => {
  it('creates a child once, however often it is sent', async () => {
    const { agent, sent } = agentThatGets(EXAMPLES.intent, 201);
    const options = { idempotencyKey: 'part-1' };
    const child = await agent.graph.createChild('root', { title: 'Part' }, options);
    assert.equal(child.id, EXAMPLES.intent.id);
    assert.equal(sent[0]?.call, 'POST /v1/intents/root/children');
    assert.equal(sent[0].headers.get('idempotency-key'), 'part-1');
    assert.deepEqual(sent[0].body, { title: 'Part' });
  });

  it('reads children with what they come to [R26-18]', async () => {
    const { aggregate_status } = EXAMPLES.graph;
    const { agent, sent } = agentThatGets({ children: [EXAMPLES.intent], aggregate_status });
    const read = await agent.graph.children('root', { limit: 5, offset: 10 });
    assert.deepEqual(read.aggregate_status, aggregate_status);
    assert.equal(sent[0]?.call, 'GET /v1/intents/root/children?limit=5&offset=10');
  });

  it('reads each relation from the list of its name', async () => {
    for (const relation of ['descendants', 'ancestors', 'dependencies', 'dependents', 'blocked']) {
      const { agent, sent } = agentThatGets({ [relation]: [EXAMPLES.intent] });
      const found = await agent.graph.related('root', relation as 'blocked');
      assert.deepEqual(found, [EXAMPLES.intent]);
      assert.equal(sent[0]?.call, `GET /v1/intents/root/${relation}`);
    }
    const { agent } = agentThatGets({});
    await assert.rejects(agent.graph.related('root', 'ready'), { code: 'unexpected_reply' });
  });

  it('reads on where a page ended early, up to what it was asked for', async () => {
    const parts = [
      { ready: [EXAMPLES.intent], next_offset: 11 },
      { ready: [EXAMPLES.intent], next_offset: 12 },
      { ready: [EXAMPLES.intent], next_offset: 13 },
    ];
    const { agent, sent } = agentThatGets(() => parts.shift());
    const found = await agent.graph.related('root', 'ready', { limit: 3, offset: 10 });
    assert.equal(found.length, 3);
    assert.deepEqual(
      sent.map(({ call }) => call.split('?')[1]),
      ['limit=3&offset=10', 'limit=2&offset=11', 'limit=1&offset=12'],
    );
  });

  it('names the version under which an edge is added or taken back', async () => {
    const { agent, sent } = agentThatGets(EXAMPLES.intent);
    await agent.graph.addDependency('one', 3, 'two');
    await agent.graph.removeDependency('one', 4, 'two');
    const calls = sent.map(({ call, headers }) => [call, headers.get('if-match')]);
    assert.deepEqual(calls, [
      ['POST /v1/intents/one/dependencies', '3'],
      ['DELETE /v1/intents/one/dependencies/two', '4'],
    ]);
    assert.deepEqual(sent[0]?.body, { dependency_id: 'two' });
  });

  it('throws a cycle with the way back', async () => {
    const path = ['one', 'two', 'one'];
    const refusal = { code: 'dependency_cycle', detail: 'a circle', state: { path } } as const;
    const problem = problemOf(refusal, 'request');
    const { agent } = agentThatGets(problem, problem.status);
    const thrown: unknown = await agent.graph
      .addDependency('one', 1, 'two')
      .catch((e: unknown) => e);
    assert.ok(thrown instanceof HoldpointError);
    assert.deepEqual([thrown.code, thrown.state], ['dependency_cycle', { path }]);
  });
});

describe('portfolios in the client', () => {
  it('are created once with their first members, and closed', async () => {
    const { agent, sent } = agentThatGets(EXAMPLES.portfolio);
    const members = [{ intent_id: 'one' }];
    const options = { idempotencyKey: 'launch' };
    const made = await agent.portfolios.create({ name: 'Launch', intents: members }, options);
    assert.equal(made.id, EXAMPLES.portfolio.id);
    await agent.portfolios.close('p', 'completed');
    assert.deepEqual(
      sent.map(({ call, body }) => [call, body]),
      [
        ['POST /v1/portfolios', { name: 'Launch', intents: members }],
        ['PATCH /v1/portfolios/p/status', { status: 'completed' }],
      ],
    );
    assert.equal(sent[0]?.headers.get('idempotency-key'), 'launch');
  });

  it('have their deadline moved', async () => {
    const { agent, sent } = agentThatGets(EXAMPLES.portfolio);
    const governance_policy = { deadline: '2026-12-24T18:00:00Z' };
    await agent.portfolios.change('p', 7, { governance_policy });
    assert.deepEqual(
      [sent[0]?.call, sent[0]?.body, sent[0]?.headers.get('if-match')],
      ['PATCH /v1/portfolios/p', { governance_policy }, '7'],
    );
  });

  it('take members and let them go', async () => {
    const { agent, sent } = agentThatGets({ id: 'membership' });
    await agent.portfolios.addMember('p', { intent_id: 'one', role: 'primary' });
    await agent.portfolios.removeMember('p', 'one');
    assert.deepEqual(
      sent.map(({ call }) => call),
      ['POST /v1/portfolios/p/intents', 'DELETE /v1/portfolios/p/intents/one'],
    );
  });

  it('are read with who waits, and with their log [R26-19]', async () => {
    const read = agentThatGets(EXAMPLES.portfolio);
    const { suspended_member_count } = await read.agent.portfolios.get('p');
    assert.equal(suspended_member_count, EXAMPLES.portfolio.suspended_member_count);
    const logged = agentThatGets({ events: [EXAMPLES.event] });
    const query = { event_type: 'portfolio.member_suspended' };
    assert.deepEqual(await logged.agent.portfolios.events('p', query), [EXAMPLES.event]);
    const path = '/v1/portfolios/p/events?event_type=portfolio.member_suspended';
    assert.equal(logged.sent[0]?.call, `GET ${path}`);
  });
});

describe('coordinators in the client', () => {
  it('take a lease, renew it and read it', async () => {
    const { coordinator } = EXAMPLES;
    const { agent, sent } = agentThatGets(coordinator);
    const scope = { intent_id: 'one', suspension_policy: 'escalate' } as const;
    assert.deepEqual(await agent.coordinators.create(scope), coordinator);
    await agent.coordinators.heartbeat('c');
    await agent.coordinators.get('c');
    assert.deepEqual(
      sent.map(({ call }) => call),
      ['POST /v1/coordinators', 'POST /v1/coordinators/c/heartbeat', 'GET /v1/coordinators/c'],
    );
    assert.deepEqual(sent[0]?.body, scope);
  });

  it('record decisions and list them', async () => {
    const made = {
      coordinator_id: 'c',
      intent_id: 'one',
      summary: 'Wait',
      rationale: 'Costs less',
    };
    const { agent, sent } = agentThatGets({ decisions: [], coordinators: [] });
    await agent.coordinators.decide({ ...made, decision_type: 'failure_handled' });
    assert.deepEqual(await agent.coordinators.decisions('one'), []);
    assert.deepEqual(await agent.coordinators.of('one', { limit: 2, offset: 1 }), []);
    assert.deepEqual(
      sent.map(({ call }) => call),
      [
        'POST /v1/decisions',
        'GET /v1/intents/one/coordinator-decisions',
        'GET /v1/intents/one/coordinators?limit=2&offset=1',
      ],
    );
  });
});
