import { ParentClosePolicy, startChild, type WorkflowIdReusePolicy } from '@temporalio/workflow';
import { workflowIdOf, WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { summaryOf } from '../../domain/summary.js';
import { viewOf } from '../../domain/suspension-view.js';
import { openingAttributes } from '../support/attributes.js';
import type { SuspensionInput } from '../suspension/messages.js';
import type { IntentEntity } from './entity.js';

/** Starts the workflow of a question; returns how it is read at first. */
export async function startSuspension(
  entity: IntentEntity,
  suspension: SuspensionInput,
  workflowIdReusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE',
): Promise<SuspensionView> {
  const { record, intent_id } = suspension;
  const view = viewOf({ intent_id, record, attempt: 1 }, suspension, []);
  entity.opening = record.id;
  try {
    await startChild(WORKFLOW_TYPES.suspension, {
      workflowId: workflowIdOf('suspension', record.id),
      workflowIdReusePolicy,
      args: [suspension],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: summaryOf(record.question),
      typedSearchAttributes: openingAttributes(view),
    });
  } finally {
    entity.opening = undefined;
  }
  return view;
}
