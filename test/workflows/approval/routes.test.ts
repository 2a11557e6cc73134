import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import { refusalOf } from '../support/intents.js';
import { openApproval, tierOf, vote, type Rules } from '../support/approvals.js';
import { perSuite, World } from '../support/world.js';

const DUAL = { rules: [{ verdict: 'escalate', route: 'dual_approval' }] };

/** A route of one person with such tiers, for calls of a risk. */
function tiered(tiers: object[], risk_class = 'high', more: object = {}): Rules {
  return {
    rules: [{ verdict: 'escalate', risk_class }],
    routes: { human_required: { tiers, ...more } },
  };
}

/** A pack of stages, one after the other. */
function packOf(stages: object[], risk_class = 'high'): Rules {
  return {
    rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'money', risk_class }],
    packs: { money: { stages } },
  };
}

describe('the routes of an approval', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('need two people, who are not the proposer [A54-06] [A54-07] [AM-49]', async () => {
    const handle = await openApproval(world, DUAL, { on_behalf_of: 'ursula' });
    const tier = await tierOf(world, handle);
    const first = await vote(world, tier, 'alice');
    assert.equal(first.verdict, 'counted');
    assert.deepEqual([first.result.approvals, first.result.required], [1, 2]);
    const again = await vote(world, tier, 'alice');
    assert.deepEqual([again.verdict, again.result.approvals], ['counted', 1]);
    for (const name of ['bot', 'ursula']) {
      assert.equal((await refusalOf(vote(world, tier, name))).code, 'not_eligible');
    }
    assert.equal((await handle.query(approvalQuery)).status, 'pending');
    await vote(world, tier, 'bella');
    const { resolution } = await handle.result();
    assert.equal(resolution.status, 'approved');
    assert.deepEqual(
      resolution.approvers.map(({ principal }) => principal),
      ['alice', 'bella'],
    );
  });

  it('ask the next tier with a timeout of its own, then deny [A54-25] [A54-26] [A54-28]', async () => {
    const handle = await openApproval(
      world,
      tiered([{ timeout_seconds: 60 }, { timeout_seconds: 120, approvers: { roles: ['admin'] } }]),
    );
    const first = await tierOf(world, handle);
    assert.equal(first.record.timeout_seconds, 60);
    await world.sleep('61 s');
    const second = await tierOf(world, handle, 2);
    assert.deepEqual([second.approval.stage, second.approval.tier], [0, 1]);
    assert.deepEqual(second.record.decision_rule?.eligible, { roles: ['admin'] });
    assert.ok(Date.parse(second.record.suspended_at) >= Date.parse(first.record.expires_at ?? ''));
    await world.sleep('100 s');
    assert.equal((await handle.query(approvalQuery)).status, 'pending');
    await world.sleep('21 s');
    assert.equal((await handle.result()).resolution.status, 'expired');
  });

  it('walk the stages of a pack, each with its people [A54-08] [AM-56] [TM-22]', async () => {
    const handle = await openApproval(
      world,
      packOf([
        { name: 'finance', approvers: { principals: ['fay'] } },
        { name: 'board', approvers: { principals: ['bea', 'ben'] }, quorum: 2 },
      ]),
    );
    const finance = await tierOf(world, handle);
    assert.equal(finance.approval.stage_name, 'finance');
    assert.equal((await refusalOf(vote(world, finance, 'bea'))).code, 'not_eligible');
    await vote(world, finance, 'fay');
    const board = await tierOf(world, handle, 2);
    assert.deepEqual([board.approval.stage, board.approval.stage_name], [1, 'board']);
    await vote(world, board, 'bea');
    await vote(world, board, 'ben');
    const { resolution } = await handle.result();
    assert.deepEqual(
      resolution.approvers.map(({ principal }) => principal),
      ['fay', 'bea', 'ben'],
    );
  });
});
