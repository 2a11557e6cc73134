import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { StoredSnapshot } from '../../../contracts/approval/snapshot.js';
import { takeSnapshot } from '../../../domain/approval/asking/snapshot.js';
import { approvalWith, proposalWith } from '../../domain/approval/samples.js';
import { granted } from '../../domain/samples.js';

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
