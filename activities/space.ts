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
