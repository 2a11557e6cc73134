import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { Gates, callOf } from '../support/gates.js';
import { refusalOf } from '../support/intents.js';
import { perSuite } from '../support/world.js';

const DEPLOY = callOf('deploy', { env: 'prod' });
const SCHEMA: JsonObject = {
  type: 'object',
  properties: { window: { enum: ['tonight', 'tomorrow'] } },
  required: ['window'],
};

describe('a gated call whose decision brings data', () => {
  let gates: Gates;
  perSuite(Gates, (one) => (gates = one));

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
});
