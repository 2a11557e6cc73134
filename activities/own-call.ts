import { Context } from '@temporalio/activity';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import { spaceOfWorkflow, workflowIdOf, type WorkflowType } from '../contracts/constants/names.js';

/** Returns the space of the workflow that runs this activity; the activity works only in that space. */
export function ownSpace(): string {
  const { workflowId } = Context.current().info.workflowExecution ?? {};
  return workflowId === undefined ? DEFAULT_SPACE : spaceOfWorkflow(workflowId);
}

export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/** Returns a function to call between pieces of work: it sends a heartbeat, and throws if the activity should end. */
export function beating(): () => void {
  const context = Context.current();
  return () => {
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
  };
}
