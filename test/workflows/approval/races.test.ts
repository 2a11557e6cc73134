import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  approvalQuery,
  standingUpdate,
  resolutionUpdate,
  withdrawApprovalSignal,
  withdrawApprovalUpdate,
} from '../../../workflows/approval/messages.js';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { openApproval, tierOf, vote, voteOf, type Rules } from '../support/approvals.js';
import { refusalOf } from '../support/intents.js';
import { perTest, World, type WorldOptions } from '../support/world.js';

/** By the question itself, or by Temporal, where that has ended before. */
const REFUSED = /^Workflow(UpdateFailed|NotFound)Error: /;

const TIERS: Rules = {
  routes: { human_required: { tiers: [{ timeout_seconds: 60 }, { timeout_seconds: 3_600 }] } },
};
const BOT = caller('bot-key');

const PLACES: readonly WorldOptions[] = [
  { on: 'this process' },
  { on: 'dev server', maxCachedWorkflows: 0 },
];

for (const place of PLACES)
  describe(`races of an approval, on ${place.on}`, () => {
    let world: World;
    beforeEach(async () => {
      world = await World.start(place);
    });
    afterEach(() => world.close());

    it('withdraw for whoever asked or an admin, and refuse later votes', async () => {
      const handle = await openApproval(world);
      const tier = await tierOf(world, handle);
      const stranger = { by: caller('other-key'), reason: 'no' };
      const refusal = await refusalOf(
        handle.executeUpdate(withdrawApprovalUpdate, { args: [stranger] }),
      );
      assert.equal(refusal.code, 'forbidden');
      const view = await handle.executeUpdate(withdrawApprovalUpdate, {
        args: [{ by: BOT, reason: 'not needed' }],
      });
      assert.equal(view.status, 'cancelled');
      assert.equal(view.resolution?.reason, 'not needed');
      await assert.rejects(vote(world, tier, 'alice'), REFUSED);
      assert.equal((await handle.result()).resolution.by, 'requester');
    });

    it('let an approval that came before a withdrawal stand', async () => {
      const handle = await openApproval(world);
      const tier = await tierOf(world, handle);
      const answer = await voteOf(world, tier, 'alice');
      await world.withoutWorker(async () => {
        await world.suspension(tier.id).signal(operatorResponseSignal, answer);
        await handle.signal(withdrawApprovalSignal, 'too late');
      });
      assert.equal((await handle.result()).resolution.status, 'approved');
    });

    it('let a withdrawal that came before a later stage end the approval', async () => {
      const handle = await openApproval(world, {
        rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'p' }],
        packs: { p: { stages: [{}, {}] } },
      });
      const tier = await tierOf(world, handle);
      const answer = await voteOf(world, tier, 'alice');
      await world.withoutWorker(async () => {
        await handle.signal(withdrawApprovalSignal, 'not needed');
        await world.suspension(tier.id).signal(operatorResponseSignal, answer);
      });
      const { resolution } = await handle.result();
      assert.deepEqual([resolution.status, resolution.by], ['cancelled', 'requester']);
    });

    it('let one of two votes win that come at once', async () => {
      const handle = await openApproval(world);
      const tier = await tierOf(world, handle);
      await world.stopWorker();
      const votes = [vote(world, tier, 'alice'), vote(world, tier, 'bella', 'rejected')];
      const ended = Promise.allSettled(votes);
      await world.startWorker();
      const won = (await ended).flatMap(({ status }, index) =>
        status === 'fulfilled' ? ['alice', 'bella'][index] : [],
      );
      const { resolution } = await handle.result();
      assert.deepEqual(won, [resolution.respondent]);
      assert.equal(resolution.status, won[0] === 'alice' ? 'approved' : 'rejected');
    });

    for (const order of ['before', 'after'] as const)
      it(`tell who waits for the end of a question how that ended, asked ${order} the answer`, async () => {
        const rules: Rules = {
          rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'p' }],
          packs: { p: { stages: [{}, {}] } },
        };
        const redeemable = { within_seconds: 600 };
        const handle = await openApproval(world, rules, {}, { redeemable });
        const first = await tierOf(world, handle);
        const past = first.id;
        const wait = () => handle.executeUpdate(standingUpdate, { args: [{ past }] });
        const waiting = order === 'before' ? wait() : undefined;
        await vote(world, first, 'alice');
        const { approval: next } = await (waiting ?? wait());
        const second = await tierOf(world, handle, 2);
        assert.deepEqual([next.status, next.suspension_id], ['pending', second.id]);
        await vote(world, second, 'bella');
        const args = [{ past: second.id }] as [{ past: string }];
        const ended = await handle.executeUpdate(standingUpdate, { args });
        assert.equal(ended.approval.status, 'approved');
      });

    it('answer who waits for its question although Temporal cancels it', async () => {
      const handle = await openApproval(world);
      const tier = await tierOf(world, handle);
      const releaseStore = world.activities.holdStore();
      await vote(world, tier, 'alice');
      // Nobody is asked while the end is checked.
      await lookUntil(
        async () => (await handle.query(approvalQuery)).suspension_id === null || undefined,
        'the end is not checked',
      );
      const waiting = await handle.startUpdate(standingUpdate, {
        args: [{}],
        waitForStage: 'ACCEPTED',
      });
      await handle.cancel();
      const cancelled = async () => {
        const { events } = await handle.fetchHistory();
        return events?.some((one) => one.workflowExecutionCancelRequestedEventAttributes);
      };
      await lookUntil(async () => (await cancelled()) || undefined, 'not cancelled');
      releaseStore();
      assert.equal((await waiting.result()).approval.status, 'approved');
    });
  });

describe('races of an approval with its instants', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  it('refuse a vote after the timeout, which asks the next tier [A54-28]', async () => {
    const handle = await openApproval(world, TIERS);
    const tier = await tierOf(world, handle);
    await world.sleep('61 s');
    const next = await tierOf(world, handle, 2);
    await assert.rejects(vote(world, tier, 'alice', 'rejected'), REFUSED);
    assert.equal((await handle.query(approvalQuery)).tier, 1);
    await vote(world, next, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
  });

  it('count a vote that came in while the worker was away past the timeout', async () => {
    const handle = await openApproval(world, TIERS);
    const tier = await tierOf(world, handle);
    const answer = await voteOf(world, tier, 'alice');
    await world.withoutWorker(async () => {
      await world.sleep('61 s');
      await world.suspension(tier.id).signal(operatorResponseSignal, answer);
    });
    assert.equal((await handle.result()).resolution.status, 'approved');
  });

  it('go on in a new run, and tell who waits to ask again', async () => {
    const handle = await openApproval(world, TIERS, {}, { history_limit: 20 });
    const waiting = await handle.startUpdate(resolutionUpdate, {
      updateId: 'outcome',
      waitForStage: 'ACCEPTED',
    });
    await tierOf(world, handle);
    await world.sleep('61 s');
    await world.sleep('20 s');
    const { events } = await handle.fetchHistory();
    assert.ok(events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
    assert.equal((await waiting.result()).status, 'pending');
    const { suspension_id, tier } = await handle.query(approvalQuery);
    assert.equal(tier, 1);
    const asked = world.activities.rows.findLast(
      (row) => row.kind === 'suspension_opened' && row.record.id === suspension_id,
    );
    if (asked?.kind !== 'suspension_opened' || !asked.record.approval) throw new Error('not asked');
    const { record } = asked;
    await vote(world, { id: record.id, record, approval: asked.record.approval }, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
  });
});
