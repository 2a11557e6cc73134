import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { failureOf } from '../support/agents.js';
import { Gates, callOf, statusesOf } from '../support/gates.js';
import { refusalOf } from '../support/intents.js';

const DEPLOY = callOf('deploy', { env: 'prod' });
const DELETE = callOf('delete', { id: 7 });
const SCHEMA: JsonObject = {
  type: 'object',
  properties: { window: { enum: ['tonight', 'tomorrow'] } },
  required: ['window'],
};

describe('a gated call whose decision brings data', () => {
  let gates: Gates;
  before(async () => {
    gates = await Gates.start();
  });
  after(() => gates.close());

  it('waits on until they fit, and gets them in its result [JC-36, JC-42, JC-43]', async () => {
    const agent = await gates.turn({ calls: [DEPLOY], more: { response_schema: SCHEMA } });
    const gate = await gates.one(agent);
    assert.deepEqual(gate.tier.record.response_schema, SCHEMA);
    const refusal = await refusalOf(gates.decide(gate, 'approved', { data: { window: 'never' } }));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_value', 'data.window']);
    await gates.decide(gate, 'approved', { data: { window: 'tonight' } });
    const { results } = await agent.result();
    assert.deepEqual(results[0]?.data, { window: 'tonight' });
  });

  it('shares its schema with the calls that are decided on together', async () => {
    const agent = await gates.turn({
      calls: [DEPLOY, DELETE],
      grouping: 'per_turn',
      more: { response_schema: SCHEMA },
    });
    const gate = await gates.one(agent);
    await gates.decide(gate, 'approved', { data: { window: 'tomorrow' } });
    const outcome = await agent.result();
    assert.deepEqual(statusesOf(outcome), [
      ['deploy', 'completed'],
      ['delete', 'completed'],
    ]);
  });

  it('fails its turn where two people have to approve', async () => {
    const { activities } = gates.world;
    const { approvals } = activities;
    activities.approvals = approvalsConfigSchema.parse({
      rules: [{ tool: 'delete', verdict: 'escalate', route: 'dual_approval' }],
    });
    const input = { calls: [DEPLOY, DELETE], schemas: { deploy: SCHEMA } };
    const together = await gates.turn({ ...input, grouping: 'per_turn' });
    const failure = await failureOf(together);
    const each = await gates.turn(input);
    const [one, both] = await gates.open(each, 2).finally(() => {
      activities.approvals = approvals;
    });
    assert.equal(failure.type, 'invalid_response_schema');
    assert.deepEqual(one?.tier.record.response_schema, SCHEMA);
    assert.equal(both?.tier.record.decision_rule?.quorum, 2);
    await each.terminate();
  });

  for (const [what, input, code] of [
    [
      'of its own',
      { grouping: 'per_turn', schemas: { deploy: SCHEMA, delete: {} } },
      'invalid_request',
    ],
    ['that judges nothing', { schemas: { deploy: { typo: 1 } } }, 'invalid_response_schema'],
  ] as const) {
    it(`is refused a schema ${what}`, async () => {
      const agent = await gates.turn({ calls: [DEPLOY, DELETE], ...input });
      assert.equal((await failureOf(agent)).type, code);
    });
  }
});
