import type { ApprovalView } from '../../../contracts/approval.js';
import { approvalWith, proposalWith } from '../../domain/approval/samples.js';
import { EVENT, REPORT } from './records.js';

/** An approval that the agent of the tests asked for, on behalf of the user of the tests. */
export const APPROVAL: ApprovalView = {
  ...approvalWith(proposalWith({ agent: 'refund-agent', on_behalf_of: 'ursula' })),
  asked_by: 'refund-agent',
};

const { intent_id: _of, ...event } = EVENT;
const { intent_id: _log, ...report } = REPORT;
const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });

/** What a gateway answers about approvals at once. */
export const APPROVALS = {
  readApproval: () => fresh(APPROVAL),
  waitForApproval: () => fresh(APPROVAL),
  withdrawApproval: () => Promise.resolve(APPROVAL),
  listApprovals: () => Promise.resolve({ value: [APPROVAL], more: false, stale: false }),
  listRunEvents: () =>
    Promise.resolve({ value: [{ ...event, run_id: 'run-7' }], more: false, stale: false }),
  verifyRunEvents: () => fresh({ ...report, run_id: 'run-7' }),
};
