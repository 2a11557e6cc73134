import {
  ParentClosePolicy,
  startChild,
  type ChildWorkflowHandle,
  type ChildWorkflowOptions,
} from '@temporalio/workflow';
import { TASK_QUEUE, WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { approvalAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { ownSpace } from '../engine/space.js';
import type { ApprovalInput } from './messages.js';
import type { approval } from './workflow.js';

/**
 * Starts an approval as a child of this workflow, on Holdpoint's own task queue. By default it outlives its parent,
 * which withdraws it by Signal. Its result is how the approval ended.
 */
export async function startApproval(
  input: ApprovalInput,
  space: string = ownSpace(),
  whenParentEnds: 'ABANDON' | 'REQUEST_CANCEL' = 'ABANDON',
  reuse: Pick<ChildWorkflowOptions, 'workflowIdReusePolicy'> = {},
): Promise<ChildWorkflowHandle<typeof approval>> {
  const { approval_id, prompt } = input.proposal;
  return startChild<typeof approval>(WORKFLOW_TYPES.approval, {
    workflowId: workflowIdOf('approval', approval_id, space),
    ...reuse,
    taskQueue: TASK_QUEUE,
    args: [input],
    parentClosePolicy: ParentClosePolicy[whenParentEnds],
    staticSummary: summaryOf(prompt),
    typedSearchAttributes: [spaceAttribute(space), ...approvalAttributes(input)],
  });
}
