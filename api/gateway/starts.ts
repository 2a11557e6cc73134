import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { TASK_QUEUE, WORKFLOW_TYPES, type WorkflowType } from '../../contracts/constants/names.js';
import { summaryOf } from '../../domain/summary.js';
import type { Clock } from './clock.js';
import { DeadlinePassed, inScope, withinDeadline, WRITE_MS } from './deadline.js';
import { isPassing } from './failures.js';
import { patiently } from './patience.js';
import { writeUnavailable } from './refusals.js';

/** A workflow to be started under an id that no other has, or had for as long as Temporal keeps it. */
interface Opening {
  readonly workflowId: string;
  readonly input: object;
  /** What people read in the Temporal UI; shortened to fit. */
  readonly summary: string;
  readonly attributes: SearchAttributePair[];
}

/** Starts a workflow on Holdpoint's task queue. */
export type Start = (type: WorkflowType, opening: Opening) => Promise<'started' | 'exists'>;

/** Throws `workflow_unavailable` after 10 s; the workflow may then exist all the same. */
export function createStart(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
): Start {
  return async (type, { workflowId, input, summary, attributes }) => {
    const options = {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
      staticSummary: summaryOf(summary),
      typedSearchAttributes: attributes,
    };
    const start = () => client.workflow.start(WORKFLOW_TYPES[type], options);
    try {
      await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isPassing, () => inScope(client, scope, start)),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}
