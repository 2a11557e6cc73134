import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { TOKEN } from '../../support/secrets.js';
import { failureOf } from '../support/agents.js';
import { Gates, callOf, statusesOf } from '../support/gates.js';
import { perSuite } from '../support/world.js';

const DEPLOY = callOf('deploy', { env: 'prod' });
const DELETE = callOf('delete', { id: 7 });

describe('a turn that seems to contain a credential', () => {
  let gates: Gates;
  perSuite(Gates, (one) => (gates = one));
  afterEach(() => {
    gates.acted.length = 0;
  });

  /** What Holdpoint's worker was given to store. */
  const stored = (): string => {
    const { rows, snapshots } = gates.world.activities;
    return JSON.stringify([rows, snapshots]);
  };

  it('asks nobody about the call that has it, and the model reads why [R25-101]', async () => {
    const leaky = callOf('deploy', { env: 'prod', key: TOKEN });
    const agent = await gates.turn({ calls: [leaky, DELETE] });
    const gate = await gates.one(agent);
    assert.equal(gate.tier.approval.proposal.calls[0]?.tool, 'delete');
    await gates.decide(gate, 'approved');
    const outcome = await agent.result();
    assert.deepEqual(statusesOf(outcome), [
      ['deploy', 'errored'],
      ['delete', 'completed'],
    ]);
    assert.match(
      outcome.results[0]?.content ?? '',
      /arguments\.key holds what looks like a credential/,
    );
    assert.deepEqual(gates.ran, ['delete']);
    assert.ok(!stored().includes(TOKEN));
  });

  for (const [what, input] of [
    ['context', { context: { key: TOKEN } }],
    ['prompt', { more: { prompt: `Deploy with ${TOKEN}?` } }],
  ] as const) {
    it(`is refused, and stores and asks nothing, if its ${what} has it [R25-101]`, async () => {
      const agent = await gates.turn({ calls: [DEPLOY], ...input });
      const failure = await failureOf(agent);
      assert.equal(failure.type, 'secret_refused');
      assert.deepEqual(gates.ran, []);
      assert.ok(!stored().includes(TOKEN));
    });
  }
});
