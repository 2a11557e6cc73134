import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { workflowIdOf, WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import { summaryOf } from '../../domain/summary.js';
import { planAttributes } from '../support/attributes.js';
import type { TaskInput } from '../task/messages.js';

/** Starts a task of the plan, which outlives a run that continues as new, and the plan itself. */
export async function startTask(child: TaskInput): Promise<void> {
  const { id, name, intent_id, status } = child.task;
  await startChild(WORKFLOW_TYPES.task, {
    workflowId: workflowIdOf('task', id),
    args: [child],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(name),
    typedSearchAttributes: planAttributes(intent_id, status),
  });
}
