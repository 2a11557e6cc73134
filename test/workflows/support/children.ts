import type { WorkflowHandle } from '@temporalio/client';

/**
 * The ids of the children that a workflow has started, in their order. A child that its parent has only ordered is not among
 * them: Temporal does not know it yet.
 */
export async function startedChildren(
  parent: Pick<WorkflowHandle, 'fetchHistory'>,
): Promise<readonly string[]> {
  const { events } = await parent.fetchHistory();
  return (events ?? []).flatMap(
    ({ childWorkflowExecutionStartedEventAttributes: child }) =>
      child?.workflowExecution?.workflowId ?? [],
  );
}
