import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { PUMP, TASK_QUEUE } from '../contracts/constants/names.js';
import { activeSubscriptions } from '../store/queries/subscription.js';
import type { Store } from '../store/schema.js';
import type { Log } from './log.js';
import { retryUntilDone } from './retry-until-done.js';
import type { RetryOptions } from './retry-until-done.js';

/** Starts the pump if there are subscriptions and it does not run; every worker calls this when it starts. Retries until it is done. */
export async function ensurePump(
  client: Pick<Client, 'workflow' | 'withDeadline'>,
  db: Store,
  log: Log,
  retries?: RetryOptions,
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
  await retryUntilDone(client, log, 'the pump of subscriptions', start, retries);
}
