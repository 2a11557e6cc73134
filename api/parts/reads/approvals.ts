import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { findApproval, isApprovalErased } from '../../../store/queries/approval.js';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import type { Read } from '../caller.js';
import { createLiveRead } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { ifThere } from './from-store.js';
import type { FromStore } from './from-store.js';

/**
 * An approval is asked of its workflow first, then of the store. Throws `approval_not_found`, `workflow_unavailable` and
 * `store_unavailable`.
 */
export function createReadApproval(temporal: Pick<Temporal, 'query'>, fromStore: FromStore) {
  const live = createLiveRead(
    { temporal, fromStore },
    {
      type: 'approval',
      query: approvalQuery,
      view: (view) => view,
      stored: (id) => fromStore(findApproval, id),
      isOver: ({ status }) => status !== 'pending',
      isErased: async (id, { erased_at }) =>
        erased_at === undefined && (await ifThere(fromStore(isApprovalErased, id))) === true,
    },
  );
  /** A workflow that was terminated answers for ever that it waits; the reconciler has ended it in the store. */
  return async (id: string): Promise<Read<ApprovalView>> => {
    const read = await live(id);
    if (read.stale || read.value.status !== 'pending') return read;
    const stored = await ifThere(fromStore(findApproval, id));
    const isDecided = stored !== undefined && stored.status !== 'pending';
    return isDecided ? { value: stored, stale: false } : read;
  };
}
