import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { APPROVAL_LOST } from '../../../contracts/constants/approvals.js';
import { endEvents } from './events.js';
import type { KeyedEvent } from './events.js';

/** The end of an approval whose workflow is gone, and what the log says of it. */
export interface LostApproval {
  readonly view: ApprovalView;
  readonly events: readonly KeyedEvent[];
}

/** Ends an approval whose workflow was terminated or failed, as cancelled by the system at `at` (ISO-8601). */
export function lostApproval(view: ApprovalView, at: string): LostApproval {
  const { proposal, proposal_hash, proposed_hash, redemption } = view;
  const resolution = {
    status: 'cancelled',
    by: 'system',
    approvers: [],
    resolved_at: at,
    proposal_hash,
    reason: APPROVAL_LOST,
  } as const;
  return {
    view: {
      ...view,
      status: 'cancelled',
      suspension_id: null,
      resolution,
      ...(redemption && { redemption: { ...redemption, redeemable_until: at } }),
    },
    events: endEvents(
      { proposal, proposal_hash, proposed_hash, rounds: [], decided_in: [], resolution },
      view,
    ),
  };
}
