import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { caller } from '../../support/callers.js';
import { failureOf } from '../support/agents.js';
import { vote } from '../support/approvals.js';
import { Gates, callOf, statusesOf } from '../support/gates.js';
import { refusalOf } from '../support/intents.js';

const DEPLOY = callOf('deploy', { env: 'prod' });

describe('for whom an agent on Temporal acts, and who decides', () => {
  let gates: Gates;
  before(async () => {
    gates = await Gates.start();
  });
  after(() => gates.close());

  it('is a user that never decides, where it is acted for alone [AM-49, AM-66]', async () => {
    const agent = await gates.turn({ calls: [DEPLOY], on_behalf_of: 'ursula' });
    const gate = await gates.one(agent);
    const { proposal } = gate.tier.approval;
    assert.deepEqual([proposal.on_behalf_of, proposal.decider], ['ursula', undefined]);
    const refusal = await refusalOf(vote(gates.world, gate.tier, 'ursula'));
    assert.equal(refusal.code, 'not_eligible');
    assert.match(refusal.detail, /named it as decider/);
    await gates.decide(gate, 'approved');
    assert.deepEqual(statusesOf(await agent.result()), [['deploy', 'completed']]);
  });

  it('is the user that alone decides, where it is named for that [AM-49]', async () => {
    const agent = await gates.turn({ calls: [DEPLOY], decider: 'ursula' });
    const gate = await gates.one(agent);
    const { proposal } = gate.tier.approval;
    assert.deepEqual([proposal.on_behalf_of, proposal.decider], ['ursula', 'ursula']);
    assert.equal((await refusalOf(gates.decide(gate, 'approved'))).code, 'not_eligible');
    await vote(gates.world, gate.tier, 'ursula', 'approved', { by: caller('ursula', 'user') });
    assert.deepEqual(statusesOf(await agent.result()), [['deploy', 'completed']]);
  });

  it('is one user, and a turn that names two fails before anything runs', async () => {
    const agent = await gates.turn({ calls: [DEPLOY], on_behalf_of: 'ursula', decider: 'vera' });
    const failure = await failureOf(agent);
    const [refusal] = failure.details as [{ field: string }];
    assert.deepEqual([failure.type, refusal.field], ['invalid_request', 'decider']);
  });
});
