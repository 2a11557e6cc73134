import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import { listApprovals as storedApprovals } from '../../../store/queries/approval.js';
import type { ApprovalListOptions } from '../../../store/queries/approval.js';
import { resolutionUpdate } from '../../../workflows/approval/messages.js';
import { demand } from '../../errors.js';
import type { Caller, Listed, Read } from '../../parts/caller.js';
import { callTemporal } from '../../parts/calls/call.js';
import { DeadlinePassed } from '../../parts/calls/deadline.js';
import { classify } from '../../parts/calls/failures.js';
import type { Parts } from '../../parts/index.js';
import { listAfter } from '../../parts/reads/from-store.js';
import { interrupted } from '../../parts/refusals.js';
import { READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** The shortest time between two looks at one approval. */
const LEAST_MS = 250;

/** How long to wait for the resolution of an approval. */
interface ResolutionWait {
  readonly timeoutSeconds: number;
  /** Ends the wait when the caller goes away. */
  readonly signal: AbortSignal;
}

/**
 * Lists all approvals of the space for people, an agent's own for an agent, and those asked for a user for that user. The list is the
 * store's, once it shows the writes of this process (at most 2 s, then `stale`).
 */
export const listApprovals = useCase({
  name: 'listApprovals',
  resource: 'approval',
  refusals: ['store_unavailable'],
  run({ caller, parts }: Call, options: ApprovalListOptions): Promise<Listed<ApprovalView>> {
    const own = mayAll(caller, 'listApprovals') ? {} : ownFilter(caller);
    const query = { ...options, ...own };
    return listAfter(parts.writtenApprovals.catchUp(), () =>
      parts.fromStore(storedApprovals, query),
    );
  },
});

function ownFilter({ principal, roles }: Caller) {
  return roles.includes('agent') ? { asked_by: principal } : { on_behalf_of: principal };
}

export const readApproval = useCase({
  name: 'readApproval',
  resource: 'approval',
  refusals: READ,
  async run({ caller, parts }: Call, id: string): Promise<Read<ApprovalView>> {
    return related(caller, 'readApproval', await parts.readApproval(id));
  },
});

/**
 * Waits until the approval is resolved, or returns the pending view after `timeoutSeconds`. A caller who goes away is told
 * `workflow_unavailable`.
 */
export const waitForApproval = useCase({
  name: 'waitForApproval',
  resource: 'approval',
  refusals: ['too_many_long_polls', ...READ],
  async run(call: Call, id: string, wait: ResolutionWait): Promise<Read<ApprovalView>> {
    try {
      return related(call.caller, 'waitForApproval', await resolved(call.parts, id, wait));
    } catch (error) {
      throw wait.signal.aborted ? interrupted(error) : error;
    }
  },
});

/** Lets people, the asker, and the user it was asked for read an approval. Throws `forbidden`. */
function related(
  caller: Caller,
  action: 'readApproval' | 'waitForApproval',
  found: Read<ApprovalView>,
): Read<ApprovalView> {
  const { asked_by: asker, proposal } = found.value;
  demand(authorize(caller, action, { asker, initiator: proposal.on_behalf_of }));
  return found;
}

/** Returns the approval once it is resolved, or as it is when the time is over. Throws the signal's reason when the caller goes away. */
async function resolved(
  parts: Parts,
  id: string,
  { timeoutSeconds, signal }: ResolutionWait,
): Promise<Read<ApprovalView>> {
  const { clock } = parts;
  const deadline = clock.now() + timeoutSeconds * 1_000;
  for (;;) {
    signal.throwIfAborted();
    const read = await parts.readApproval(id);
    const left = deadline - clock.now();
    if (read.value.status !== 'pending' || left <= 0) return read;
    const looked = clock.now();
    await listen(parts, id, left, signal);
    const rest = Math.min(looked + LEAST_MS, deadline) - clock.now();
    if (rest > 0) await clock.sleep(rest, signal);
  }
}

/** Waits until the approval is resolved, its run hands over, or the time is over. */
async function listen(
  { waiting: client, clock, space }: Parts,
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
