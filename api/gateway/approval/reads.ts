import type { Client } from '@temporalio/client';
import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import { mayAll } from '../../../domain/policy/authorize.js';
import { findApproval, isApprovalErased, listApprovals } from '../../../store/queries/approval.js';
import type { ApprovalListOptions } from '../../../store/queries/approval.js';
import { approvalQuery, resolutionUpdate } from '../../../workflows/approval/messages.js';
import type { Caller, Listed, Read } from '../caller.js';
import { callTemporal } from '../calls/call.js';
import { DeadlinePassed } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import { classify } from '../calls/failures.js';
import { createLiveRead } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { ifThere, listAfter } from '../reads/from-store.js';
import type { FromStore } from '../reads/from-store.js';
import type { WrittenApprovals } from './written.js';

interface Deps {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly temporal: Pick<Temporal, 'query'>;
  readonly fromStore: FromStore;
  readonly writtenApprovals: Pick<WrittenApprovals, 'catchUp'>;
  readonly clock: Clock;
  readonly space: string;
}

/** How long to wait for the resolution of an approval. */
export interface ResolutionWait {
  readonly timeoutSeconds: number;
  /** Ends the wait when the caller goes away. */
  readonly signal: AbortSignal;
}

/** The shortest time between two looks at one approval. */
const LEAST_MS = 250;

/**
 * An approval is asked of its workflow first, then of the store; lists are the store's, once it shows what was written here (at
 * most 2 s, then `stale`). Throws `approval_not_found`,
 * `workflow_unavailable` and `store_unavailable`.
 */
export function createApprovalReads(deps: Deps) {
  const { temporal, fromStore, clock, writtenApprovals } = deps;
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
  async function readApproval(id: string): Promise<Read<ApprovalView>> {
    const read = await live(id);
    if (read.stale || read.value.status !== 'pending') return read;
    const stored = await ifThere(fromStore(findApproval, id));
    const isDecided = stored !== undefined && stored.status !== 'pending';
    return isDecided ? { value: stored, stale: false } : read;
  }
  return {
    readApproval,
    /** All of the space for people, those that it asked for an agent, and those that were asked for it for a user. */
    async listApprovals(
      caller: Caller,
      options: ApprovalListOptions,
    ): Promise<Listed<ApprovalView>> {
      const own = mayAll(caller, 'listApprovals') ? {} : ownFilter(caller);
      const query = { ...options, ...own };
      return listAfter(writtenApprovals.catchUp(), () => fromStore(listApprovals, query));
    },
    /**
     * A long poll: returns once the approval is resolved, or after `timeoutSeconds` with the pending view. Throws the
     * signal's reason when the caller goes away.
     */
    async waitForApproval(
      id: string,
      { timeoutSeconds, signal }: ResolutionWait,
    ): Promise<Read<ApprovalView>> {
      const deadline = clock.now() + timeoutSeconds * 1_000;
      for (;;) {
        signal.throwIfAborted();
        const read = await readApproval(id);
        const left = deadline - clock.now();
        if (read.value.status !== 'pending' || left <= 0) return read;
        const looked = clock.now();
        await listen(deps, id, left, signal);
        const rest = Math.min(looked + LEAST_MS, deadline) - clock.now();
        if (rest > 0) await clock.sleep(rest, signal);
      }
    },
  };
}

function ownFilter({ principal, roles }: Caller) {
  return roles.includes('agent') ? { asked_by: principal } : { on_behalf_of: principal };
}

/** Waits until the approval is resolved, its run hands over, or the time is over. */
async function listen(
  { client, clock, space }: Deps,
  id: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const handle = client.workflow.getHandle(workflowIdOf('approval', id, space));
  const rpc = () => handle.executeUpdate(resolutionUpdate, { updateId: OUTCOME_UPDATE_ID });
  try {
    await callTemporal(client, clock, { ms, caller: signal, rpc });
  } catch (error) {
    const isOver = error instanceof DeadlinePassed || signal.aborted;
    if (!isOver && classify(error).kind === 'unknown') throw error;
  }
}

/** Reads an approval, of its workflow or of the store. */
export type ReadApproval = ReturnType<typeof createApprovalReads>['readApproval'];
