import type { WithdrawnPart } from '../../../contracts/approval/approval.js';
import { isEarlier } from '../../kernel/time.js';
import { keyed, type KeyedEvent } from '../record/events.js';
import type { ApprovalState } from '../record/state.js';
import { CLOCK_ACTOR } from '../../suspension/record/events.js';
import { isRedeemed, isRunning } from './redemption.js';
import type { Redemptions } from './redemption.js';

/**
 * Takes in that the intent of an approval has ended. From then on no process gets a call of it; whoever carries one out may finish
 * that. A decision stays as it was made. Returns undefined if nothing is left to take back.
 */
export function intentEnded(
  state: ApprovalState,
  redemptions: Redemptions,
  withdrawn: WithdrawnPart,
): WithdrawnApproval | undefined {
  const isLeft = state.withdrawn === undefined && !isRedeemed(state, redemptions);
  return isLeft ? { ...state, withdrawn } : undefined;
}

type WithdrawnApproval = ApprovalState & { readonly withdrawn: WithdrawnPart };

/** What was taken back of an approval after it was approved, and why; the calls that a process may still finish are `under_way`. */
export function withdrawnEvent(state: WithdrawnApproval, redemptions: Redemptions): KeyedEvent {
  const { reason, at } = state.withdrawn;
  const ids = state.proposal.calls
    .map(({ id }) => id)
    .filter((id) => redemptions[id]?.completed === undefined);
  const isUnderWay = (id: string) => isRunning(redemptions[id], at);
  return keyed(state, 'withdrawn', 'approval_withdrawn', CLOCK_ACTOR, {
    reason,
    calls: ids.filter((id) => !isUnderWay(id)),
    under_way: ids.filter(isUnderWay),
    proposal_hash: state.proposal_hash,
  });
}

/** The last instant at which a call of a withdrawn approval may be finished, or `until` if that is earlier; undefined if none may. */
export function lastLease(redemptions: Redemptions, until: string): string | undefined {
  const leases = Object.values(redemptions)
    .filter(({ completed }) => completed === undefined)
    .map(({ lease }) => lease.until);
  const [first, ...others] = leases;
  if (first === undefined) return undefined;
  const last = others.reduce((latest, one) => (isEarlier(latest, one) ? one : latest), first);
  return isEarlier(last, until) ? last : until;
}
