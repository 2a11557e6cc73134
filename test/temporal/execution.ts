import proto from '@temporalio/proto';
import type { Run } from './run.js';

export const NORMAL_QUEUE = proto.temporal.api.enums.v1.TaskQueueKind.TASK_QUEUE_KIND_NORMAL;

/** The ids of a run, as Temporal's messages have them. */
export function executionOf({ start, runId }: Run): { workflowId: string; runId: string } {
  return { workflowId: start.workflowId, runId };
}
