import type { ApprovalView, RedemptionView } from '../../../contracts/approval/approval.js';
import { isEarlier } from '../../kernel/time.js';

type Ended = Pick<
  ApprovalView,
  'status' | 'proposal' | 'resolution' | 'redemption' | 'withdrawn' | 'erased_at'
>;

/**
 * Returns when an approval was over (ISO-8601): decided, with everything picked up, or the instant until which that
 * is possible. Nothing can be picked up of an erased one. Null while it is undecided, or if that instant is unknown.
 */
export function endedAt(approval: Ended): string | null {
  const { status, proposal, resolution, redemption, withdrawn, erased_at } = approval;
  if (resolution === undefined) return null;
  if (redemption === undefined || erased_at !== undefined) return resolution.resolved_at;
  if (redemption.redeemable_until !== undefined) return redemption.redeemable_until;
  const isCompleted = (id: string) =>
    redemption.calls.some((call) => call.call_id === id && call.completed_at !== undefined);
  const isLeft =
    status === 'approved' && !withdrawn && !proposal.calls.every(({ id }) => isCompleted(id));
  const { resolved_at } = resolution;
  const last = withdrawn && isEarlier(resolved_at, withdrawn.at) ? withdrawn.at : resolved_at;
  return isLeft || isAway(redemption) ? null : latest(last, redemption);
}

function isAway({ checkpoint }: RedemptionView): boolean {
  return checkpoint !== null && checkpoint.status !== 'resumed';
}

function latest(resolved_at: string, { calls }: RedemptionView): string {
  return calls.reduce(
    (last, { completed_at }) =>
      completed_at !== undefined && isEarlier(last, completed_at) ? completed_at : last,
    resolved_at,
  );
}
