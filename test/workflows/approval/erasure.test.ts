import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import {
  approvalQuery,
  claimCheckpointUpdate,
  redeemUpdate,
} from '../../../workflows/approval/messages.js';
import { forgetSignal } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { openApproval, tierOf, vote, type ApprovalHandle } from '../support/approvals.js';
import { refusalOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/** Stands in all that the agent shows. */
const DATA = 'ada@example.com';
const AT = '2026-03-24T12:00:00.000Z';
const BY = caller('bot-key');
const LEASE = { by: BY, holder: 'p1', lease_seconds: 60 };

describe('the personal data of an approval', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const opened = () =>
    openApproval(
      world,
      {},
      { calls: [{ id: 'call-1', tool: 'wire', arguments: { to: DATA } }] },
      {
        redeemable: {
          within_seconds: 86_400,
          sealed: { schema_version: 'composer_v1', content: DATA },
        },
      },
    );
  const viewOf = (handle: ApprovalHandle): Promise<ApprovalView> => handle.query(approvalQuery);

  async function approved(): Promise<ApprovalHandle> {
    const handle = await opened();
    await vote(world, await tierOf(world, handle), 'alice', 'approved', {
      comment: DATA,
    });
    const isDecided = async () => (await viewOf(handle)).status === 'approved' || undefined;
    await lookUntil(isDecided, 'undecided');
    return handle;
  }

  it('is forgotten, and nothing of it can be picked up any more [A54-31]', async () => {
    const handle = await approved();
    const before = await viewOf(handle);
    assert.equal(typeof before.redemption?.redeemable_until, 'string');
    await handle.executeUpdate(redeemUpdate, { args: [LEASE] });
    // What waits for the store keeps the workflow, so that somebody can still come.
    world.activities.storeIsDown = true;
    await handle.signal(forgetSignal, AT);
    for (const pickUp of [
      () => handle.executeUpdate(redeemUpdate, { args: [LEASE] }),
      () => handle.executeUpdate(claimCheckpointUpdate, { args: [LEASE] }),
    ]) {
      const refusal = await refusalOf(pickUp());
      assert.deepEqual(
        [refusal.code, refusal.state],
        ['approval_decided', { status: 'approved', erased_at: AT }],
      );
    }
    world.activities.storeIsDown = false;
    const { proposal, resolution } = await handle.result();
    assert.deepEqual([proposal.calls, resolution.status], [[], 'approved']);
    assert.equal(JSON.stringify(await viewOf(handle)).includes(DATA), false);
    const row = world.activities.approvalRows(proposal.approval_id).at(-1);
    assert.equal(JSON.stringify(row).includes(DATA), false);
    assert.deepEqual(
      [row?.approval.erased_at, row?.approval.redemption?.redeemable_until],
      [AT, undefined],
    );
  });

  it('is not forgotten while people decide', async () => {
    const handle = await opened();
    const tier = await tierOf(world, handle);
    await handle.signal(forgetSignal, AT);
    await handle.signal(forgetSignal, 'no instant');
    await vote(world, tier, 'alice');
    await lookUntil(
      async () => (await viewOf(handle)).status === 'approved' || undefined,
      'undecided',
    );
    const { arguments: given } = await handle.executeUpdate(redeemUpdate, { args: [LEASE] });
    assert.deepEqual(given, { to: DATA });
    assert.equal((await viewOf(handle)).erased_at, undefined);
    await handle.terminate();
  });
});
