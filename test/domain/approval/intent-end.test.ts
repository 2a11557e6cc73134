import assert from 'node:assert/strict';
import { newApproval, resolved } from '../../../domain/approval/record/state.js';
import { intentEnded, lastLease } from '../../../domain/approval/running/desk.js';
import { completeCall, redeemCall } from '../../../domain/approval/running/redemption.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import { granted, refused } from '../samples.js';
import { AT, proposalWith, resolutionOf } from './samples.js';

const PROPOSAL = proposalWith();
const WITHDRAWN = { reason: 'intent_completed', at: AT } as const;
const APPROVED = { proposal: PROPOSAL, resolution: resolutionOf(PROPOSAL) };
const OVER = { ...APPROVED, withdrawn: WITHDRAWN };
const by = (holder: string) => ({ holder, lease_seconds: 60 });
const after = (seconds: number) => plusSeconds(AT, seconds);
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
