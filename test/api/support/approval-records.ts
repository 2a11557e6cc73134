import type { ApprovalView } from '../../../contracts/approval.js';
import type { StoredSnapshot } from '../../../contracts/snapshot.js';
import { takeSnapshot } from '../../../domain/approval/snapshot.js';
import { approvalWith, proposalWith } from '../../domain/approval/samples.js';
import { granted } from '../../domain/samples.js';
import { EVENT, REPORT } from './records.js';

/** An approval that the agent of the tests asked for, on behalf of the user of the tests. */
export const APPROVAL: ApprovalView = {
  ...approvalWith(proposalWith({ agent: 'refund-agent', on_behalf_of: 'ursula' })),
  asked_by: 'refund-agent',
};

/** What the agent of the tests left of itself. */
export const SNAPSHOT: StoredSnapshot = granted(
  takeSnapshot({
    agent: 'refund-agent',
    run_id: 'run-7',
    turn_index: 0,
    event_position: 7,
    working_memory: { messages: [] },
    proposals: [APPROVAL.proposal],
  }),
);

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
  latestSnapshot: () => fresh(SNAPSHOT),
};
