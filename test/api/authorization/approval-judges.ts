import {
  listApprovals,
  readApproval,
  waitForApproval,
} from '../../../api/usecases/approval/read.js';
import type { Call } from '../../../api/usecases/usecase.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { mayWithdraw } from '../../../domain/approval/deciding/request.js';
import type { Relation } from '../../../domain/policy/rules.js';
import { REDEEMABLE } from '../support/approvals.js';
import { fakeParts } from '../support/parts.js';

type Related = Readonly<Partial<Record<Relation, string>>>;

const SOMEBODY = 'somebody';

/** An approval that is related to callers like this. */
function approvalOf({ asker = SOMEBODY, initiator = SOMEBODY }: Related): ApprovalView {
  const proposal = { ...REDEEMABLE.proposal, on_behalf_of: initiator };
  return { ...REDEEMABLE, asked_by: asker, proposal };
}

/** A call by somebody in a world where the one approval is related like this. */
function callOf(caller: Caller, related: Related): Call {
  const one = approvalOf(related);
  const { parts } = fakeParts({
    answers: { approval: () => one },
    store: {
      listApprovals: async ({ asked_by, on_behalf_of }) => {
        const isAsked = asked_by === undefined || asked_by === one.asked_by;
        const isFor = on_behalf_of === undefined || on_behalf_of === one.proposal.on_behalf_of;
        return { rows: isAsked && isFor ? [one] : [], more: false };
      },
    },
  });
  return { caller, parts };
}

/** Whether the list of approvals shows one that is related like this. */
async function listed(by: Caller, related: Related): Promise<boolean> {
  const { value } = await listApprovals.run(callOf(by, related), { limit: 2, offset: 0 });
  return value.length > 0;
}

/** How approvals judge callers who are related to them. */
export const APPROVAL_JUDGES = {
  listed,
  read: (by: Caller, related: Related) =>
    readApproval.run(callOf(by, related), REDEEMABLE.approval_id),
  waitedFor: (by: Caller, related: Related) =>
    waitForApproval.run(callOf(by, related), REDEEMABLE.approval_id, {
      timeoutSeconds: 0,
      signal: new AbortController().signal,
    }),
  withdrawn: (by: Caller, related: Related) => mayWithdraw(by, approvalOf(related)),
};
