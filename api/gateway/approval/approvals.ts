import { createNoted } from './noted.js';
import { createApprovalReads } from './reads.js';
import { createRedemption } from './redemption.js';
import { createApprovalOpening } from './request-opening.js';
import { createResuming } from './resuming.js';
import { createRunLogs } from './run-log.js';
import { createSnapshots } from './snapshots.js';
import { createApprovalWithdrawals } from './withdrawal.js';

type Deps = Parameters<typeof createApprovalReads>[0] &
  Parameters<typeof createNoted>[0] &
  Read<typeof createApprovalOpening> &
  Read<typeof createResuming> &
  Read<typeof createRedemption> &
  Read<typeof createApprovalWithdrawals>;

/** What one of the parts works with, besides what the parts share. */
type Read<Create extends (deps: never) => unknown> = Omit<
  Parameters<Create>[0],
  'readApproval' | 'noted'
>;

/** Approvals, what agents and people do with them, and the logs and snapshots of their runs. */
export function createApprovals(deps: Deps) {
  const reads = createApprovalReads(deps);
  const reading = { ...deps, ...reads, noted: createNoted(deps) };
  return {
    ...reads,
    ...createApprovalOpening(reading),
    ...createResuming(reading),
    ...createRedemption(reading),
    ...createApprovalWithdrawals(reading),
    ...createRunLogs(deps.fromStore),
    ...createSnapshots(deps.fromStore),
  };
}
