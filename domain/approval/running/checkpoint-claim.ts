import type { CheckpointStatus } from '../../../contracts/constants/approvals.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkToken, takeLease } from './work-lease.js';
import type { LeaseRequest, WorkLease } from './work-lease.js';

/** How far the agent has come back that was gone while people decided. */
export interface CheckpointClaim {
  readonly status: CheckpointStatus;
  /** The process that continues the agent, or did. */
  readonly lease?: WorkLease;
}

/** Nobody has brought the agent back. */
export const HIBERNATED: CheckpointClaim = { status: 'hibernated' };

/**
 * Gives the checkpoint to the process that brings the agent back: `hibernated → resuming` (JC-66). If that process
 * dies, another gets it with a higher token after the lease. Refuses `approval_pending` before the decision,
 * `approval_in_use` while another process has it, and `invalid_transition` once the agent is back.
 */
export function claimCheckpoint(
  claim: CheckpointClaim,
  request: LeaseRequest,
  { isDecided, now }: { readonly isDecided: boolean; readonly now: string },
): Ruling<CheckpointClaim> {
  if (!isDecided) {
    return refuse('approval_pending', 'Nobody has decided yet.', { state: { status: 'pending' } });
  }
  if (claim.status === 'resumed') {
    return refuse('invalid_transition', 'The agent has been brought back already.', {
      state: { checkpoint_status: claim.status },
    });
  }
  const lease = takeLease(claim.lease, request, now);
  return lease.ok ? ok({ status: 'resuming', lease: lease.value }) : lease;
}

/** Notes that the agent is back: `resuming → resumed`, also again. Refuses `stale_token` after a takeover. */
export function finishCheckpoint(claim: CheckpointClaim, token: number): Ruling<CheckpointClaim> {
  const current = checkToken(claim.lease, token);
  return current.ok ? ok({ ...claim, status: 'resumed' }) : current;
}
