import type { ApprovalView, RedemptionView } from '../../contracts/approval.js';
import { isEarlier } from '../kernel/time.js';

type Ended = Pick<ApprovalView, 'status' | 'proposal' | 'resolution' | 'redemption' | 'erased_at'>;

/**
 * Since when an approval is over, ISO-8601: nobody decides on it any more, and its agent has picked everything up. If the agent
 * still may, it is the instant after which it may not. Of one that was erased nothing can be picked up. Null while nobody has decided, or nobody knows until when it may.
 */
export function endedAt({
  status,
  proposal,
  resolution,
  redemption,
  erased_at,
}: Ended): string | null {
  if (resolution === undefined) return null;
  if (redemption === undefined || erased_at !== undefined) return resolution.resolved_at;
  if (redemption.redeemable_until !== undefined) return redemption.redeemable_until;
  const isCompleted = (id: string) =>
    redemption.calls.some((call) => call.call_id === id && call.completed_at !== undefined);
  const isLeft = status === 'approved' && !proposal.calls.every(({ id }) => isCompleted(id));
  return isLeft || isAway(redemption) ? null : latest(resolution.resolved_at, redemption);
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
