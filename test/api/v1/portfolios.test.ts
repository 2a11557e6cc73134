import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedOf, createRig, sentIn } from '../support/harness.js';
import { PORTFOLIO_ID } from '../support/portfolio-records.js';
import type { PortfolioInput } from '../../../workflows/portfolio/messages.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PORTFOLIO = `/v1/portfolios/${PORTFOLIO_ID}`;
const POLICY = 'governance_policy.deadline';

describe('the routes of portfolios', () => {
  for (const [what, body, field] of [
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a deadline that is none', { name: 'x', governance_policy: { deadline: 'soon' } }, POLICY],
    ['a deadline as a number', { name: 'x', governance_policy: { deadline: 1 } }, POLICY],
    ['a policy that is none', { name: 'x', governance_policy: [] }, 'governance_policy'],
    ['a member that is none', { name: 'x', intents: [{}] }, 'intents[0].intent_id'],
    [
      'a role that there is not',
      { name: 'x', intents: [{ intent_id: INTENT_ID, role: 'boss' }] },
      'intents[0].role',
    ],
  ] as const) {
    it(`refuse ${what}`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', 'post', '/v1/portfolios').send(body);
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.field],
        [422, 'invalid_request', field],
      );
      assert.ok(reply.body.accepted);
      assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
    });
  }

  it('take a null description, and any field of a policy', async () => {
    const rig = createRig();
    const policy = { deadline: '2125-03-31', budget_limit_cents: 5 };
    const body = { name: 'x', description: null, governance_policy: policy, metadata: { a: 1 } };
    const reply = await rig.send('agent', 'post', '/v1/portfolios').send(body);
    assert.equal(reply.status, 201);
    const { portfolio, members } = sentIn(rig, 'portfolio') as unknown as PortfolioInput;
    assert.equal(reply.headers['location'], `/v1/portfolios/${portfolio.id}`);
    const { name, description, governance_policy, metadata } = portfolio;
    const deadline = '2125-03-31T00:00:00.000Z';
    assert.deepEqual(
      { name, description, governance_policy, metadata },
      {
        ...body,
        governance_policy: { ...policy, deadline },
      },
    );
    assert.deepEqual(members, []);
  });

  it('refuse a change that names nothing', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'patch', PORTFOLIO).set('If-Match', '1').send({});
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
    assert.match(reply.body.accepted, /at least one of/);
    assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
  });

  for (const [relation, query] of [
    ['portfolios', 'portfoliosOf'],
    ['coordinators', 'coordinatorsOf'],
  ] as const) {
    it(`give a page of the ${relation} of an intent`, async () => {
      const rig = createRig();
      const path = `/v1/intents/${INTENT_ID}/${relation}`;
      assert.equal((await rig.send('agent', 'get', `${path}?limit=2&offset=3`)).status, 200);
      assert.deepEqual(askedOf(rig, query), [INTENT_ID, { limit: 2, offset: 3 }]);
      const refused = await rig.send('agent', 'get', `${path}?limit=0`);
      assert.deepEqual([refused.status, refused.body.field], [422, 'limit']);
    });
  }

  it('show an agent no id by which it could answer [AM-45]', async () => {
    const rig = createRig();
    const seenBy = async (key: 'agent' | 'operator'): Promise<unknown> => {
      const reply = await rig.send(key, 'get', `${PORTFOLIO}/events`);
      const [event] = reply.body.events;
      return [event.payload.suspension_id, event.masked];
    };
    assert.deepEqual(await seenBy('operator'), [SUSPENSION_ID, undefined]);
    assert.deepEqual(await seenBy('agent'), [`${SUSPENSION_ID.slice(0, 8)}…`, true]);
  });
});
