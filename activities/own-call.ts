import { Context } from '@temporalio/activity';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import { spaceOfWorkflow, workflowIdOf } from '../contracts/constants/names.js';
import type { WorkflowType } from '../contracts/constants/names.js';

/** Returns the space of the workflow that runs this activity, to which all of the activity's work is limited. */
export function ownSpace(): string {
  const { workflowId } = Context.current().info.workflowExecution ?? {};
  return workflowId === undefined ? DEFAULT_SPACE : spaceOfWorkflow(workflowId);
}

/** Returns the id of the workflow of something in this space. */
export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/** Returns a function to call between two pieces of work: it sends a heartbeat, and throws if the activity is to end. */
export function beating(): () => void {
  const context = Context.current();
  return () => {
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
  };
}
