import { createApprovalReads } from '../../../api/gateway/approval/reads.js';
import { createFromStore } from '../../../api/gateway/reads/from-store.js';
import { TOOL_APPROVALS } from '../../../api/operations/approval.js';
import type { Call } from '../../../api/operations/operation.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import type { Caller } from '../../../contracts/caller.js';
import { mayWithdraw } from '../../../domain/approval/withdrawal.js';
import type { Relation } from '../../../domain/policy/rules.js';
import { ManualClock, fakeStore, silent } from '../gateway/support.js';
import { REDEEMABLE } from '../support/approvals.js';

type Related = Readonly<Partial<Record<Relation, string>>>;

const SOMEBODY = 'somebody';
const clock = new ManualClock();

/** An approval that is related to callers like this. */
function approvalOf({ asker = SOMEBODY, initiator = SOMEBODY }: Related): ApprovalView {
  const proposal = { ...REDEEMABLE.proposal, on_behalf_of: initiator };
  return { ...REDEEMABLE, asked_by: asker, proposal };
}

function callOf(caller: Caller, related: Related): Call {
  const reading = () => Promise.resolve({ value: approvalOf(related), stale: false });
  const gateway = { readApproval: reading, waitForApproval: reading };
  return { caller, gateway } as unknown as Call;
}

/** Whether the list of approvals shows one that is related like this. */
async function listed(by: Caller, related: Related): Promise<boolean> {
  const one = approvalOf(related);
  const store = fakeStore({
    listApprovals: async ({ asked_by, on_behalf_of }) => {
      const isAsked = asked_by === undefined || asked_by === one.asked_by;
      const isFor = on_behalf_of === undefined || on_behalf_of === one.proposal.on_behalf_of;
      return { rows: isAsked && isFor ? [one] : [], more: false };
    },
  });
  const fromStore = createFromStore(store, clock, silent);
  const writtenApprovals = { catchUp: () => Promise.resolve(true) };
  const deps = { fromStore, clock, space: 'default', writtenApprovals };
  const reads = createApprovalReads(deps as never);
  const { value } = await reads.listApprovals(by, { limit: 2, offset: 0 });
  return value.length > 0;
}

/** How approvals judge callers who are related to them. */
export const APPROVAL_JUDGES = {
  listed,
  read: (by: Caller, related: Related) =>
    TOOL_APPROVALS.readApproval.run(callOf(by, related), REDEEMABLE.approval_id),
  waitedFor: (by: Caller, related: Related) =>
    TOOL_APPROVALS.waitForApproval.run(callOf(by, related), REDEEMABLE.approval_id, {
      timeoutSeconds: 0,
      signal: new AbortController().signal,
    }),
  withdrawn: (by: Caller, related: Related) => mayWithdraw(by, approvalOf(related)),
};
