import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import {
  listApprovals as storedApprovals,
  type ApprovalListOptions,
} from '../../../store/queries/approval.js';
import { resolutionUpdate } from '../../../workflows/approval/messages.js';
import { demand } from '../../errors.js';
import type { Caller, Listed, Page, Read } from '../../parts/caller.js';
import { callTemporal } from '../../parts/calls/call.js';
import { DeadlinePassed } from '../../parts/calls/deadline.js';
import { classify } from '../../parts/calls/failures.js';
import type { Parts } from '../../parts/index.js';
import { listAfter } from '../../parts/reads/from-store.js';
import { interrupted, refused } from '../../parts/refusals.js';
import { READ, useCase, type Call } from '../usecase.js';
import type { StoredSnapshot } from '../../../contracts/approval/snapshot.js';
import type { RunEvent, RunReport } from '../../../contracts/intent/event.js';
import { endCheck } from '../../../domain/log/chain.js';
import {
  latestSnapshot as storedSnapshot,
  listRunEvents as storedEvents,
  runEventsIn,
  runLogEnd,
} from '../../../store/queries/run-log.js';
import { checkedAsRead, checkedWhole, wholeLog } from '../../parts/reads/whole-log.js';

/** The shortest time between two reads of one approval. */
const LEAST_MS = 250;

interface ResolutionWait {
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Lists all approvals of the space for people, an agent's own for an agent, and those on a user's behalf for that
 * user, from the store once it shows the writes of this process (at most 2 s, then `stale`).
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
 * Waits until the approval is resolved, or returns the pending view after `timeoutSeconds`. Throws
 * `workflow_unavailable` if the caller goes away.
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

export const listRunEvents = useCase({
  name: 'listRunEvents',
  resource: 'approval',
  refusals: ['store_unavailable'],
  async run({ parts }: Call, runId: string, page: Page): Promise<Listed<RunEvent>> {
    const { rows, more } = await parts.fromStore(storedEvents, runId, page);
    return { value: rows, more, stale: false };
  },
});

/** Verifies the log of a run against its end and its removed events, which the store keeps beside it. */
export const verifyRunEvents = useCase({
  name: 'verifyRunEvents',
  resource: 'approval',
  refusals: ['store_unavailable'],
  async run({ parts: { fromStore } }: Call, runId: string): Promise<Read<RunReport>> {
    const { report } = await checkedWhole(
      () => fromStore(runLogEnd, runId),
      async ({ head, removed, newest }) => {
        const events = wholeLog(fromStore, runEventsIn, runId, newest);
        return endCheck(await checkedAsRead(runId, events, removed), head);
      },
    );
    const { intent_id: _run, ...found } = report;
    return { value: { ...found, run_id: runId, head_from: 'store' }, stale: false };
  },
});

/** Reads the latest snapshot that an agent on Temporal has saved in this run. Only the store has it. */
export const latestSnapshot = useCase({
  name: 'latestSnapshot',
  resource: 'approval',
  refusals: ['snapshot_not_found', 'store_unavailable'],
  async run({ parts }: Call, runId: string): Promise<Read<StoredSnapshot>> {
    const value = await parts.fromStore(storedSnapshot, runId);
    if (value === undefined) throw refused('snapshot_not_found', 'The run has left no snapshot.');
    return { value, stale: false };
  },
});
