import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reportMutation } from '../../../../api/usecases/approval/pick-up.js';
import { REDEEMABLE } from '../../support/approvals.js';
import { callerOf, closed, refusalFrom } from '../../support/fakes.js';
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
