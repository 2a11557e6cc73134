import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withdrawApproval } from '../../../../api/usecases/approval/decide.js';
import type { ApprovalView } from '../../../../contracts/approval/approval.js';
import { REDEEMABLE } from '../../support/approvals.js';
import { callerOf, closed, refusalFrom } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const RESOLVED_AT = '2026-11-20T10:00:00.000Z';
const DECIDED = {
  ...REDEEMABLE,
  asked_by: 'agent-1',
  status: 'approved',
  resolution: { respondent: 'alice', resolved_at: RESOLVED_AT },
} as ApprovalView;

describe('withdrawing an approval whose workflow has ended', () => {
  const { parts } = fakeParts({
    temporal: { update: closed, query: closed },
    store: { findApproval: async () => DECIDED },
  });
  const withdrawn = (principal: string) => {
    const call = { caller: callerOf(principal), parts };
    return refusalFrom(withdrawApproval.run(call, REDEEMABLE.approval_id));
  };

  it('tells who asked how it ended, and others nothing', async () => {
    const own = await withdrawn('agent-1');
    const state = { status: 'approved', resolved_at: RESOLVED_AT, respondent: 'alice' };
    assert.deepEqual([own.code, own.state], ['approval_decided', state]);
    const other = await withdrawn('agent-2');
    assert.deepEqual([other.code, other.state], ['forbidden', undefined]);
  });
});
