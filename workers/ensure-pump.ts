import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { PUMP, TASK_QUEUE } from '../contracts/constants/names.js';
import { activeSubscriptions } from '../store/queries/subscription.js';
import type { Store } from '../store/schema.js';
import { lookAfter } from './looked-after.js';
import type { Log, Patience } from './looked-after.js';

/**
 * Starts the pump if there are subscriptions and somebody has terminated it; every worker calls this when it starts.
 * A store or a server that is away does not keep the worker from starting: it is tried again.
 */
export async function ensurePump(
  client: Pick<Client, 'workflow' | 'withDeadline'>,
  db: Store,
  log: Log,
  patience?: Patience,
): Promise<void> {
  const start = async (): Promise<void> => {
    if ((await activeSubscriptions(db)).length === 0) return;
    try {
      await client.workflow.start(PUMP.type, {
        workflowId: PUMP.id,
        taskQueue: TASK_QUEUE,
        args: [{}],
        staticSummary: 'wakes subscriptions',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
  await lookAfter(client, log, 'the pump of subscriptions', start, patience);
}
