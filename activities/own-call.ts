import { Context } from '@temporalio/activity';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import { spaceOfWorkflow, workflowIdOf } from '../contracts/constants/names.js';
import type { WorkflowType } from '../contracts/constants/names.js';

/** The space of the workflow that runs this activity: all that the activity reads, writes and tells is in it. */
export function ownSpace(): string {
  const { workflowId } = Context.current().info.workflowExecution ?? {};
  return workflowId === undefined ? DEFAULT_SPACE : spaceOfWorkflow(workflowId);
}

/** The id of the workflow of something in this space. */
export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/**
 * Returns what an activity calls between two pieces of its work: it tells Temporal of progress, and throws if the work is
 * to end.
 */
export function beating(): () => void {
  const context = Context.current();
  return () => {
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
  };
}
