import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusalOf } from '../../../../api/errors.js';
import { redeemCall, reportMutation } from '../../../../api/usecases/approval/pick-up.js';
import { standingUpdate } from '../../../../workflows/approval/messages.js';
import { REDEEMABLE, REDEEMED } from '../../support/approvals.js';
import {
  SUSPENSION_ID,
  callerOf,
  closed,
  refusalFrom,
  settledView,
  updateRefused,
  viewOf,
  type Handler,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

describe('a call that would run other than it was approved', () => {
  const { parts } = fakeParts({
    temporal: { update: closed, query: closed },
    store: {
      findApproval: async () => ({ ...REDEEMABLE, asked_by: 'agent-1', status: 'approved' }),
    },
  });

  it('is not taken down once the workflow of its approval has ended', async () => {
    const report = (principal: string) => {
      const call = { caller: callerOf(principal), parts };
      return refusalFrom(reportMutation.run(call, REDEEMABLE.approval_id, { tool: 'sell' }));
    };
    const own = await report('agent-1');
    assert.deepEqual([own.code, own.state], ['approval_decided', { status: 'approved' }]);
    assert.equal(own.detail, 'Nothing of the approval can run any more.');
    const other = await report('agent-2');
    assert.deepEqual([other.code, other.state], ['forbidden', undefined]);
  });
});

const pendingAt = (suspension_id?: string) =>
  updateRefused({
    code: 'approval_pending',
    detail: 'Nobody has decided yet.',
    state: { status: 'pending', ...(suspension_id && { suspension_id }) },
  });

/** Redeems a call of an approval: `redeem` has its answers, one after another, and `record` what its question says. */
async function redeemedAfter(redeem: readonly Handler[], record: Handler) {
  const left = [...redeem];
  const { parts, calls } = fakeParts({
    answers: {
      redeem: (call) => left.shift()?.(call),
      record,
      [standingUpdate.name]: () => ({ approval: REDEEMABLE, moved: false }),
    },
  });
  const request = { holder: 'p1', lease_seconds: 60 };
  const call = { caller: callerOf('agent-1'), parts };
  const redeemed = redeemCall.run(call, REDEEMABLE.approval_id, request);
  const ended = await redeemed.then(
    ({ token }) => token,
    (error: unknown) => refusalOf(error)?.code,
  );
  const waits = calls.filter(({ name }) => name === standingUpdate.name);
  return { ended, names: calls.map(({ name }) => name), waits: waits.map(({ args }) => args[0]) };
}

describe('redeeming a call whose question has just been answered', () => {
  const pending: Handler = () => Promise.reject(pendingAt(SUSPENSION_ID));
  const settled: Handler = () => settledView();
  const open: Handler = () => viewOf();
  const approved: Handler = () => REDEEMED;

  it('asks nothing besides where the approval knows the answer', async () => {
    const { ended, names } = await redeemedAfter([approved], settled);
    assert.deepEqual([ended, names], [REDEEMED.token, ['redeem']]);
  });

  it('waits where the approval has not learnt the answer', async () => {
    const { ended, waits } = await redeemedAfter([pending, approved], settled);
    assert.deepEqual([ended, waits], [REDEEMED.token, [{ past: SUSPENSION_ID }]]);
  });

  it('waits while the approval checks its end', async () => {
    const ending: Handler = () => Promise.reject(pendingAt());
    const { ended, names } = await redeemedAfter([ending, approved], open);
    assert.deepEqual([ended, names], [REDEEMED.token, ['redeem', 'standing', 'redeem']]);
  });

  it('is refused at once while the question is open, for one Query', async () => {
    const { ended, names } = await redeemedAfter([pending], open);
    assert.deepEqual([ended, names], ['approval_pending', ['redeem', 'record']]);
    const unknown = await redeemedAfter([pending], closed);
    assert.equal(unknown.ended, 'approval_pending');
  });

  it('is refused where the next stage is asked after that question', async () => {
    const { ended, names } = await redeemedAfter([pending, pending], settled);
    assert.deepEqual(
      [ended, names],
      ['approval_pending', ['redeem', 'record', 'standing', 'redeem']],
    );
  });
});
