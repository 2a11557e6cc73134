import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import { refusalOf } from '../support/intents.js';
import { eventsOf, openApproval, tierOf, vote } from '../support/approvals.js';
import type { Rules } from '../support/approvals.js';
import { World } from '../support/world.js';

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
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

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

  it('end at one denial of two, and at a timeout with one of two, which nobody decided [AM-58] [AM-65]', async () => {
    const denied = await openApproval(world, DUAL);
    const asked = await tierOf(world, denied);
    await vote(world, asked, 'alice');
    await vote(world, asked, 'bella', 'rejected');
    assert.equal((await denied.result()).resolution.status, 'rejected');
    const late = await openApproval(world, {
      ...DUAL,
      routes: { dual_approval: { tiers: [{ timeout_seconds: 60 }] } },
    });
    await vote(world, await tierOf(world, late), 'alice');
    await world.sleep('61 s');
    const { resolution } = await late.result();
    assert.deepEqual([resolution.status, resolution.by], ['expired', 'timeout']);
    assert.equal(resolution.respondent, undefined);
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

  it('let silence approve what is of low risk only [A54-26]', async () => {
    const tiers = [{ timeout_seconds: 60, on_timeout: 'allow' }];
    const low = await openApproval(world, tiered(tiers, 'low'));
    await tierOf(world, low);
    const claimed = {
      id: 'c',
      tool: 'wire',
      arguments: {},
      claimed: { risk_class: 'high' as const },
    };
    const high = await openApproval(world, tiered(tiers, 'low'), { calls: [claimed] });
    await tierOf(world, high);
    await world.sleep('61 s');
    const { resolution } = await low.result();
    assert.deepEqual([resolution.status, resolution.by], ['approved', 'timeout']);
    assert.deepEqual(resolution.approvers, []);
    assert.equal((await high.result()).resolution.status, 'expired');
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

  it('raise an alert at a breached SLA, which decides nothing [A54-29] [TM-22]', async () => {
    const handle = await openApproval(
      world,
      tiered([{ timeout_seconds: 600 }], 'high', { sla_seconds: 60 }),
    );
    const tier = await tierOf(world, handle);
    await world.sleep('40 s');
    const { proposal } = await handle.query(approvalQuery);
    const types = () => eventsOf(world, proposal.run_id).map(({ event_type }) => event_type);
    assert.deepEqual(types(), ['approval_requested']);
    await world.sleep('40 s');
    assert.deepEqual(types(), ['approval_requested', 'approval_sla_breached']);
    assert.equal((await handle.query(approvalQuery)).status, 'pending');
    await vote(world, tier, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
    assert.equal(types().filter((type) => type === 'approval_sla_breached').length, 1);
  });
});
