import { createApprovalOpenings } from './opening.js';
import { createApprovalReads } from './reads.js';
import { createRunLogs } from './run-log.js';
import { createApprovalWithdrawals } from './withdrawal.js';

type Deps = Parameters<typeof createApprovalReads>[0] &
  Parameters<typeof createApprovalOpenings>[0] &
  Omit<Parameters<typeof createApprovalWithdrawals>[0], 'readApproval'>;

/** Approvals, and the logs of their runs. */
export function createApprovals(deps: Deps) {
  const reads = createApprovalReads(deps);
  return {
    ...reads,
    ...createApprovalOpenings(deps),
    ...createApprovalWithdrawals({ ...deps, ...reads }),
    ...createRunLogs(deps.fromStore),
  };
}
