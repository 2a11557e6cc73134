import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import { approvalQuery, approvalRowQuery } from '../../../workflows/approval/messages.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import {
  openApproval,
  tierOf,
  vote,
  voteOf,
  type ApprovalHandle,
  type AskedTier,
  type Rules,
} from '../support/approvals.js';
import { perSuite, World } from '../support/world.js';

const DUAL: Rules = { rules: [{ verdict: 'escalate', route: 'dual_approval' }] };
const TWO_TIERS: Rules = {
  rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'money' }],
  packs: {
    money: {
      stages: [
        { name: 'team', quorum: 2, tiers: [{ timeout_seconds: 60 }, { timeout_seconds: 60 }] },
      ],
    },
  },
};
const editTo = (amount: number) => ({
  edits: [{ call_id: 'call-1', arguments: { amount, to: 'ada' } }],
  edits_allowed: { risk_class: 'high' as const },
});

describe('an approval that is edited while people decide', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** What whoever reads the approval sees of its proposal, with what its row has. */
  async function seen(handle: ApprovalHandle) {
    const view = await handle.query(approvalQuery);
    const { approval } = await handle.query(approvalRowQuery);
    assert.deepEqual(
      [approval.proposal, approval.proposal_hash],
      [view.proposal, view.proposal_hash],
    );
    const { version, calls } = view.proposal;
    return { version, amount: calls[0]?.arguments['amount'], hash: view.proposal_hash };
  }

  /** The question as it is now. */
  async function again(tier: AskedTier): Promise<AskedTier> {
    const { record } = await world.suspension(tier.id).query(recordQuery);
    return { ...tier, approval: record.approval as ApprovalPart };
  }

  it('shows what its question asks about, as soon as the edit is answered [A54-11]', async () => {
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice', 'approved', editTo(5));
    const now = await again(tier);
    assert.deepEqual(await seen(handle), {
      version: 2,
      amount: 5,
      hash: now.approval.proposal_hash,
    });
    await vote(world, now, 'bob', 'approved', editTo(4));
    assert.equal((await seen(handle)).amount, 4);
    await vote(world, await again(tier), 'alice');
    const { proposal } = await handle.result();
    assert.deepEqual([proposal.version, proposal.calls[0]?.arguments['amount']], [3, 4]);
  });

  it('asks no tier again whose time is over [A54-28]', async () => {
    const handle = await openApproval(world, TWO_TIERS);
    const first = await tierOf(world, handle);
    await vote(world, first, 'alice', 'approved', editTo(5));
    await world.sleep('61 s');
    const second = await tierOf(world, handle, 2);
    assert.equal(second.approval.proposal.version, 2);
    await vote(world, second, 'alice', 'approved', editTo(4));
    const { version, amount } = await seen(handle);
    assert.deepEqual([version, amount], [3, 4]);
    await world.sleep('61 s');
    const { resolution } = await handle.result();
    assert.deepEqual([resolution.status, resolution.by], ['expired', 'timeout']);
  });

  it('has it in its next run too [A54-11]', async () => {
    const handle = await openApproval(world, DUAL, {}, { history_limit: 10 });
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice', 'approved', editTo(5));
    await lookUntil(async () => {
      const row = world.activities.rows.findLast((one) => one.kind === 'approval');
      return row?.kind === 'approval' && row.approval.proposal.version === 2;
    }, 'the edit is not written');
    await vote(world, await again(tier), 'bob');
    assert.equal((await handle.result()).proposal.version, 2);
  });
});

describe('an edit that decides while its question is still being told', () => {
  it('counts although the approval hears of it before the store [A54-11] [A54-19]', async () => {
    const world = await World.start();
    const { activities } = world;
    activities.deliver = activities.hang;
    const handle = await openApproval(world);
    const tier = await tierOf(world, handle);
    const release = activities.holdRows('suspension_settled');
    await vote(world, tier, 'alice', 'approved', editTo(5));
    await lookUntil(async () => activities.proposalReads > 0, 'the approval does not look');
    release();
    const { resolution, proposal } = await handle.result();
    assert.deepEqual([resolution.status, proposal.version], ['approved', 2]);
    await world.close();
  });
});

describe('an edit and a vote that come while the worker is away', () => {
  it('are judged in their order, and the approval shows the edit [A54-11]', async () => {
    const world = await World.start();
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    const votes = [
      await voteOf(world, tier, 'alice', 'approved', editTo(5)),
      await voteOf(world, tier, 'bob'),
    ];
    await world.withoutWorker(async () => {
      for (const one of votes) await world.suspension(tier.id).signal(operatorResponseSignal, one);
    });
    const { proposal, status } = await lookUntil(async () => {
      const view = await handle.query(approvalQuery);
      return view.proposal.version === 2 && view;
    }, 'no edit');
    assert.deepEqual([status, proposal.calls[0]?.arguments['amount']], ['pending', 5]);
    await world.close();
  });
});
