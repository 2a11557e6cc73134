import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Proposal } from '../../../contracts/approval/approval.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';
import { eventsOf, openApproval, tierOf, vote, type Rules } from '../support/approvals.js';
import { perSuite, World } from '../support/world.js';

const TWO_STAGES: Rules = {
  rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'money' }],
  packs: { money: { stages: [{ name: 'first' }, { name: 'second' }] } },
};
const LESS = { edits: [{ call_id: 'call-1', arguments: { amount: 5, to: 'ada' } }] };
const EDIT = { ...LESS, edits_allowed: { risk_class: 'high' as const } };

/** The same proposal with another amount. */
function raised(proposal: Proposal): Proposal {
  const calls = proposal.calls.map((call) => ({ ...call, arguments: { amount: 9_999 } }));
  return { ...proposal, calls };
}

describe('what an approval is about', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('is what may run once a person has edited it [A54-22]', async () => {
    const handle = await openApproval(world);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice', 'approved', EDIT);
    const { proposal, resolution, proposed_hash } = await handle.result();
    assert.deepEqual(proposal.calls[0]?.arguments, { amount: 5, to: 'ada' });
    assert.equal(proposal.version, 2);
    assert.equal(resolution.proposal_hash, hashOf(proposal));
    assert.notEqual(resolution.proposal_hash, proposed_hash);
    const resolved = eventsOf(world, proposal.run_id).at(-1);
    assert.deepEqual(resolved?.payload['proposal'], proposal);
  });

  it('is asked again of every stage that approved another version', async () => {
    const handle = await openApproval(world, TWO_STAGES);
    await vote(world, await tierOf(world, handle), 'alice');
    const second = await tierOf(world, handle, 2);
    await vote(world, second, 'bella', 'approved', EDIT);
    const again = await tierOf(world, handle, 3);
    assert.deepEqual([again.approval.stage, again.approval.proposal.version], [0, 2]);
    await assert.rejects(vote(world, second, 'carla'), { name: 'WorkflowNotFoundError' });
    await vote(world, again, 'alice');
    const { resolution, proposal } = await handle.result();
    assert.equal(proposal.version, 2);
    assert.deepEqual(
      resolution.approvers.map(({ principal }) => principal),
      ['alice', 'bella'],
    );
    assert.ok(resolution.approvers.every(({ decision }) => decision === 'approved'));
  });

  for (const [name, tamper] of [
    [
      'as it was proposed',
      (proposed: Proposal, proposal: Proposal) => [raised(proposed), proposal],
    ],
    [
      'in its latest version',
      (proposed: Proposal, proposal: Proposal) => [proposed, raised(proposal)],
    ],
  ] as const) {
    it(`runs no more if the store has it otherwise ${name} [A54-19] [A54-20] [A54-24] [A54-31] [A54-32] [AM-61]`, async () => {
      const handle = await openApproval(world);
      const tier = await tierOf(world, handle);
      world.activities.tamper = (stored) => {
        const [proposed, proposal] = tamper(stored.proposed, stored.proposal);
        return { proposed: proposed ?? stored.proposed, proposal: proposal ?? stored.proposal };
      };
      await vote(world, tier, 'alice');
      const { resolution, proposal } = await handle.result();
      world.activities.tamper = (stored) => stored;
      assert.equal(resolution.status, 'failed');
      assert.equal(resolution.code, 'proposal_mutation_detected');
      const types = eventsOf(world, proposal.run_id).map(({ event_type }) => event_type);
      assert.deepEqual(types, [
        'approval_requested',
        'approval_vote',
        'proposal_mutation_detected',
      ]);
    });
  }

  it('runs no more if the question shows it otherwise [A54-19] [A54-20] [A54-24] [A54-31] [A54-32] [AM-61]', async () => {
    const handle = await openApproval(world);
    const tier = await tierOf(world, handle);
    let shown: readonly string[] = [];
    world.activities.tamper = ({ asked = [], ...stored }) => {
      shown = asked.map(({ suspension_id }) => suspension_id);
      return { ...stored, asked: asked.map((one) => ({ ...one, proposal: raised(one.proposal) })) };
    };
    await vote(world, tier, 'alice');
    const { resolution } = await handle.result();
    world.activities.tamper = (stored) => stored;
    assert.deepEqual(shown, [tier.id]);
    assert.deepEqual(
      [resolution.status, resolution.code],
      ['failed', 'proposal_mutation_detected'],
    );
  });

  it('is resolved once in the log, after the check [A54-21] [AM-60]', async () => {
    const handle = await openApproval(world);
    let events = -1;
    const before = world.activities.tamper;
    world.activities.tamper = (stored) => {
      const noted = eventsOf(world, stored.proposal.run_id);
      events = noted.filter(({ event_type }) => event_type === 'approval_resolved').length;
      return stored;
    };
    await vote(world, await tierOf(world, handle), 'alice');
    const { proposal } = await handle.result();
    world.activities.tamper = before;
    assert.equal(events, 0);
    const resolved = eventsOf(world, proposal.run_id).filter(
      ({ event_type }) => event_type === 'approval_resolved',
    );
    assert.equal(resolved.length, 1);
  });
});
