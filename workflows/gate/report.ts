import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { runQuery, suspendedUpdate } from './messages.js';
import type { OpenApproval, RunReport } from './messages.js';

/** Module state is per workflow: the approvals that its turns wait for, by id. */
const open = new Map<string, OpenApproval>();
let last: Pick<RunReport, 'run_id' | 'turn_index' | 'snapshot_hash'> | undefined;
let listening = false;

/** Lets others ask where this run stands. `gateTools` calls it too; a workflow that calls it first can be asked as soon as it starts. */
export function reportRun(): void {
  if (listening) return;
  listening = true;
  setHandler(runQuery, report, { description: 'Where the run of the agent stands' });
  setHandler(suspendedUpdate, untilSuspended, {
    description: 'Waits until the run waits for a person',
  });
}

async function untilSuspended(): Promise<RunReport> {
  await condition(() => open.size > 0);
  return report();
}

function report(): RunReport {
  const { workflowId: run_id } = workflowInfo();
  return {
    ...(last ?? { run_id, turn_index: null, snapshot_hash: null }),
    status: open.size > 0 ? 'suspended' : 'running',
    approvals: [...open.values()],
  };
}

/** A turn has stored its snapshot, and is about to wait. */
export function noteTurn(turn: Pick<RunReport, 'run_id' | 'turn_index' | 'snapshot_hash'>): void {
  last = turn;
}

/** An approval is open from now on; the result ends that. */
export function noteOpen(approval: OpenApproval): () => void {
  open.set(approval.approval_id, approval);
  return () => open.delete(approval.approval_id);
}
