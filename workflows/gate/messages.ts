import { defineQuery, defineUpdate } from '@temporalio/workflow';

/** An approval that a run waits for. */
export interface OpenApproval {
  readonly approval_id: string;
  readonly proposal_hash: string;
  /** The names of the tools. */
  readonly tools: readonly string[];
}

/** Where the run of an agent stands (A54-15). */
export interface RunReport {
  readonly run_id: string;
  readonly status: 'running' | 'suspended';
  /** Of the turn that waits, or waited last; null before the first. */
  readonly turn_index: number | null;
  /** Under which the snapshot of that turn is stored. */
  readonly snapshot_hash: string | null;
  readonly approvals: readonly OpenApproval[];
}

/** Where the run stands now. */
export const runQuery = defineQuery<RunReport>('holdpoint_run');

/** The same, as soon as the run waits for a person: who started it is free then. */
export const suspendedUpdate = defineUpdate<RunReport>('holdpoint_suspended');
