import {
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

export interface OpenApproval {
  readonly approval_id: string;
  readonly proposal_hash: string;
  readonly tools: readonly string[];
}

/** The state of an agent's run (A54-15). */
export interface RunReport {
  readonly run_id: string;
  readonly status: 'running' | 'suspended';
  /** The index of the turn that waits, or waited last; null before the first. */
  readonly turn_index: number | null;
  /** The hash of that turn's stored snapshot. */
  readonly snapshot_hash: string | null;
  readonly approvals: readonly OpenApproval[];
}

/** Returns the present state of the run. */
export const runQuery = defineQuery<RunReport>('holdpoint_run');

/** Returns the state as soon as the run waits for a person, so that whoever started it need not wait longer. */
export const suspendedUpdate = defineUpdate<RunReport>('holdpoint_suspended');

/** Module state is per workflow: the approvals that its turns wait for, by id. */
const open = new Map<string, OpenApproval>();
let last: Pick<RunReport, 'run_id' | 'turn_index' | 'snapshot_hash'> | undefined;
let listening = false;

/**
 * Lets others query the state of this run. `gateTools` calls it too; a workflow that calls it first can be queried as
 * soon as it starts.
 */
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

export function noteTurn(turn: Pick<RunReport, 'run_id' | 'turn_index' | 'snapshot_hash'>): void {
  last = turn;
}

/** Records that an approval is open; the returned function removes it. */
export function noteOpen(approval: OpenApproval): () => void {
  open.set(approval.approval_id, approval);
  return () => open.delete(approval.approval_id);
}
