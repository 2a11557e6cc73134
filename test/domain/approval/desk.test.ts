import assert from 'node:assert/strict';
import {
  type ApprovalResolution,
  redemptionViewSchema,
} from '../../../contracts/approval/approval.js';
import { newApproval, resolved } from '../../../domain/approval/record/state.js';
import {
  atStoredDesk,
  type CheckpointClaim,
  claimAt,
  claimCheckpoint,
  completeAt,
  type Desk,
  finishAt,
  finishCheckpoint,
  HIBERNATED,
  intentEnded,
  isClosed,
  lastLease,
  newDesk,
  redeemAt,
  redemptionView,
  type StoredApproval,
} from '../../../domain/approval/running/desk.js';
import { completeCall, redeemCall } from '../../../domain/approval/running/redemption.js';
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

const after = (seconds: number) => plusSeconds(AT, seconds);

/** Claims for a process at `now`, 60 seconds long. */
function claim(of: CheckpointClaim, holder: string, now = AT) {
  return claimCheckpoint(of, { holder, lease_seconds: 60 }, { isDecided: true, now });
}

describe('bringing an agent back', () => {
  it('goes from hibernated to resuming to resumed [JC-66]', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    assert.deepEqual(resuming, {
      status: 'resuming',
      lease: { holder: 'p1', token: 1, until: after(60) },
    });
    const resumed = granted(finishCheckpoint(resuming, 1));
    assert.deepEqual(resumed, { ...resuming, status: 'resumed' });
    assert.deepEqual(granted(finishCheckpoint(resumed, 1)), resumed);
  });

  it('gives the checkpoint to one of two processes [JC-66]', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    const refusal = refused(claim(resuming, 'p2', after(59)));
    assert.deepEqual(
      [refusal.code, refusal.state],
      ['approval_in_use', { until: after(60), token: 1 }],
    );
  });

  it('gives the same process the same token again', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    assert.equal(granted(claim(resuming, 'p1', after(10))).lease?.token, 1);
  });

  it('lets another process take over after a crash, with a higher token', () => {
    const first = granted(claim(HIBERNATED, 'p1'));
    const second = granted(claim(first, 'p2', after(60)));
    assert.equal(second.lease?.token, 2);
    const refusal = refused(finishCheckpoint(second, 1));
    assert.deepEqual([refusal.code, refusal.state], ['stale_token', { token: 2 }]);
    assert.equal(granted(finishCheckpoint(second, 2)).status, 'resumed');
  });

  it('refuses everybody once the agent is back [JC-66]', () => {
    const resumed = granted(finishCheckpoint(granted(claim(HIBERNATED, 'p1')), 1));
    for (const holder of ['p1', 'p2']) {
      const refusal = refused(claim(resumed, holder, after(600)));
      assert.deepEqual(
        [refusal.code, refusal.state],
        ['invalid_transition', { checkpoint_status: 'resumed' }],
      );
    }
  });

  it('waits until people have decided', () => {
    const early = claimCheckpoint(
      HIBERNATED,
      { holder: 'p1', lease_seconds: 60 },
      { isDecided: false, now: AT },
    );
    assert.equal(refused(early).code, 'approval_pending');
  });

  it('is not finished by who never claimed it', () => {
    assert.equal(refused(finishCheckpoint(HIBERNATED, 1)).code, 'stale_token');
  });
});

const WITHDRAWN = { reason: 'intent_completed', at: AT } as const;
const APPROVED = { proposal: PROPOSAL, resolution: resolutionOf(PROPOSAL) };
const OVER = { ...APPROVED, withdrawn: WITHDRAWN };
const by = (holder: string) => ({ holder, lease_seconds: 60 });
const RUNNING = granted(redeemCall(APPROVED, {}, by('p1'), AT)).redemptions;

describe('an approval whose intent has ended', () => {
  it('gives no call to a process that had none', () => {
    const refusal = refused(redeemCall(OVER, {}, by('p1'), AT));
    assert.deepEqual(
      [refusal.code, refusal.state?.['reason']],
      ['approval_decided', 'intent_completed'],
    );
  });

  it('gives no call before it is decided either', () => {
    const undecided = { proposal: PROPOSAL, withdrawn: WITHDRAWN };
    assert.equal(refused(redeemCall(undecided, {}, by('p1'), AT)).code, 'approval_decided');
  });

  it('lets the holder of a lease renew it in time, and nobody else', () => {
    const { redeemed } = granted(redeemCall(OVER, RUNNING, by('p1'), after(59)));
    assert.equal(redeemed.lease_until, after(119));
    for (const [holder, at] of [
      ['p2', 59],
      ['p1', 60],
      ['p2', 61],
    ] as const) {
      const refusal = refused(redeemCall(OVER, RUNNING, by(holder), after(at)));
      assert.equal(refusal.code, 'approval_decided');
    }
  });

  it('takes the result of a call that was carried out', () => {
    const done = { token: 1, result: 'paid' };
    const { redemptions } = granted(completeCall(OVER, RUNNING, done, after(30)));
    const again = granted(redeemCall(OVER, redemptions, by('p2'), after(90)));
    assert.equal(again.redeemed.result, 'paid');
  });

  it('cancels what would approve, and lets a rejection stand', () => {
    const state = intentEnded(newApproval(PROPOSAL), {}, WITHDRAWN) ?? assert.fail();
    const approved = resolved(state, { status: 'approved', by: 'people' }, AT).resolution;
    assert.deepEqual(
      [approved?.status, approved?.by, approved?.reason],
      ['cancelled', 'system', 'intent_completed'],
    );
    const rejected = resolved(state, { status: 'rejected', by: 'people' }, AT).resolution;
    assert.equal(rejected?.status, 'rejected');
    assert.equal(intentEnded(state, {}, WITHDRAWN), undefined);
  });

  it('is open until the last lease ends, or the time to redeem', () => {
    assert.equal(lastLease(RUNNING, after(600)), after(60));
    assert.equal(lastLease(RUNNING, after(30)), after(30));
    assert.equal(lastLease({}, after(600)), undefined);
  });
});
