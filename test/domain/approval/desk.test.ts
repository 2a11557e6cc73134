import assert from 'node:assert/strict';
import {
  redemptionViewSchema,
  type ApprovalResolution,
} from '../../../contracts/approval/approval.js';
import {
  atStoredDesk,
  claimAt,
  completeAt,
  finishAt,
  isClosed,
  newDesk,
  redeemAt,
  redemptionView,
  type Desk,
  type StoredApproval,
} from '../../../domain/approval/running/desk.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import { granted, refused } from '../samples.js';
import { AT, proposalWith, resolutionOf } from './samples.js';

const PROPOSAL = proposalWith();
const decided = (status: ApprovalResolution['status'] = 'approved') => ({
  proposal: PROPOSAL,
  resolution: resolutionOf(PROPOSAL, { status }),
});
const P1 = { holder: 'p1', lease_seconds: 60 };

/** The desk after its call has run. */
function completed(desk: Desk): Desk {
  const redeemed = granted(redeemAt(desk, decided(), P1, AT)).desk;
  return granted(completeAt(redeemed, decided(), { token: 1, result: 'done' }, AT)).desk;
}

/** The desk after the agent is back. */
function resumed(desk: Desk): Desk {
  return granted(finishAt(granted(claimAt(desk, decided(), P1, AT)).desk, decided(), 1)).desk;
}

describe('the desk of an approval', () => {
  it('stays open until all calls have run', () => {
    assert.equal(isClosed(newDesk(false), decided()), false);
    assert.equal(isClosed(completed(newDesk(false)), decided()), true);
  });

  it('stays open until the agent that was gone is back', () => {
    const desk = completed(newDesk(true));
    assert.equal(isClosed(desk, decided()), false);
    assert.equal(isClosed(resumed(desk), decided()), true);
    assert.equal(isClosed(resumed(newDesk(true)), decided()), false);
  });

  it('is closed at once if no call may run and nobody is gone', () => {
    assert.equal(isClosed(newDesk(false), decided('rejected')), true);
    assert.equal(isClosed(newDesk(true), decided('rejected')), false);
    assert.equal(isClosed(newDesk(false), { proposal: PROPOSAL }), false);
  });

  it('tells who claims the checkpoint, and until when [JC-66]', () => {
    const { reply, desk } = granted(claimAt(newDesk(true), decided(), P1, AT));
    const { approval_id } = PROPOSAL;
    const lease_until = plusSeconds(AT, 60);
    assert.deepEqual(reply, { approval_id, status: 'resuming', token: 1, lease_until });
    assert.deepEqual(granted(finishAt(desk, decided(), 1)).reply, { ...reply, status: 'resumed' });
  });

  it('keeps the claim while calls are redeemed, and the other way round', () => {
    const both = resumed(completed(newDesk(true)));
    assert.equal(both.checkpoint?.status, 'resumed');
    assert.deepEqual(Object.keys(both.redemptions), ['call-1']);
    assert.deepEqual(completed(resumed(newDesk(true))), both);
  });

  it('refuses to claim what nobody left', () => {
    for (const ruling of [
      claimAt(newDesk(false), decided(), P1, AT),
      finishAt(newDesk(false), decided(), 1),
    ]) {
      const { code, state } = refused(ruling);
      assert.deepEqual([code, state], ['invalid_transition', { checkpoint_status: null }]);
    }
  });

  it('passes refusals on', () => {
    const waiting = { proposal: PROPOSAL };
    const rulings = [
      redeemAt(newDesk(true), waiting, P1, AT),
      completeAt(newDesk(true), waiting, { token: 1, result: 1 }, AT),
      claimAt(newDesk(true), waiting, P1, AT),
    ];
    for (const ruling of rulings) assert.equal(refused(ruling).code, 'approval_pending');
    assert.equal(refused(finishAt(newDesk(true), decided(), 1)).code, 'stale_token');
  });

  it('is read with its calls and its checkpoint', () => {
    const view = redemptionView(resumed(completed(newDesk(true))));
    assert.deepEqual(redemptionViewSchema.parse(view), {
      checkpoint: { status: 'resumed', token: 1, lease_until: plusSeconds(AT, 60) },
      request_hash: null,
      calls: [
        {
          call_id: 'call-1',
          token: 1,
          lease_until: plusSeconds(AT, 60),
          completed_at: AT,
          result: 'done',
        },
      ],
    });
    assert.deepEqual(redemptionView(newDesk(false), 'f'.repeat(64)), {
      checkpoint: null,
      request_hash: 'f'.repeat(64),
      calls: [],
    });
  });
});

describe('an approval whose workflow is gone', () => {
  const stored = (desk: Desk, status: ApprovalResolution['status'] = 'approved') => ({
    ...decided(status),
    redemption: redemptionView(desk),
  });
  const late = plusSeconds(AT, 10_000);
  const redeem = (of: StoredApproval, now = late) =>
    atStoredDesk(of, (desk) => redeemAt(desk, of, P1, now));
  const complete = (of: StoredApproval, token: number) =>
    atStoredDesk(of, (desk) => completeAt(desk, of, { token, result: 'again' }, late));
  const claim = (of: StoredApproval) => atStoredDesk(of, (desk) => claimAt(desk, of, P1, late));
  const finish = (of: StoredApproval, token: number) =>
    atStoredDesk(of, (desk) => finishAt(desk, of, token));

  it('still tells the result of a call', () => {
    const live = granted(redeemAt(completed(newDesk(false)), decided(), P1, AT)).reply;
    assert.deepEqual(granted(redeem(stored(completed(newDesk(false))))), live);
  });

  it('answers the repetition of its last message', () => {
    const ran = stored(completed(newDesk(false)));
    assert.equal(granted(complete(ran, 1)).result, 'done');
    assert.equal(refused(complete(ran, 2)).code, 'stale_token');
    const back = stored(resumed(completed(newDesk(true))));
    assert.equal(granted(finish(back, 1)).status, 'resumed');
    assert.equal(refused(finish(back, 2)).code, 'stale_token');
    assert.equal(refused(claim(back)).code, 'invalid_transition');
  });

  it('still refuses a call that may not run', () => {
    const { code, state } = refused(redeem(stored(newDesk(false), 'rejected')));
    assert.deepEqual([code, state?.['status']], ['approval_decided', 'rejected']);
  });

  it('gives out nothing that was not picked up in time', () => {
    const running = granted(redeemAt(newDesk(true), decided(), P1, AT)).desk;
    const resuming = granted(claimAt(newDesk(true), decided(), P1, AT)).desk;
    const overdue = [
      redeem(stored(newDesk(false))),
      redeem(stored(running)),
      redeem(stored(running), AT),
      complete(stored(running), 1),
      claim(stored(newDesk(true))),
      claim(stored(resuming)),
      finish(stored(resuming), 1),
      redeem(decided()),
    ];
    for (const ruling of overdue) {
      const { code, state } = refused(ruling);
      assert.deepEqual([code, state], ['approval_decided', { status: 'expired' }]);
    }
  });
});
