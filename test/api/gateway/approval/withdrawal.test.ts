import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createApprovalWithdrawals } from '../../../../api/gateway/approval/withdrawal.js';
import { REDEEMABLE } from '../../support/approvals.js';
import { callerOf, refusalFrom } from '../support.js';

const RESOLVED_AT = '2026-11-20T10:00:00.000Z';
const DECIDED = {
  ...REDEEMABLE,
  asked_by: 'agent-1',
  status: 'approved',
  resolution: { respondent: 'alice', resolved_at: RESOLVED_AT },
};

describe('withdrawing an approval whose workflow has ended', () => {
  const withdrawals = createApprovalWithdrawals({
    temporal: { update: async () => ({ kind: 'gone' }) },
    readApproval: async () => ({ value: DECIDED, stale: false }),
    writtenApprovals: { touch: () => undefined },
  } as never);

  it('tells who asked how it ended, and others nothing', async () => {
    const { approval_id: id } = REDEEMABLE;
    const own = await refusalFrom(withdrawals.withdrawApproval(callerOf('agent-1'), id));
    const state = { status: 'approved', resolved_at: RESOLVED_AT, respondent: 'alice' };
    assert.deepEqual([own.code, own.state], ['approval_decided', state]);
    const other = await refusalFrom(withdrawals.withdrawApproval(callerOf('agent-2'), id));
    assert.deepEqual([other.code, other.state], ['forbidden', undefined]);
  });
});
