import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { PUMP, TASK_QUEUE } from '../contracts/constants/names.js';
import { activeSubscriptions } from '../store/queries/subscription.js';
import type { Store } from '../store/schema.js';

/** Where it logs errors; pino's loggers fit. */
interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Starts the pump if there are subscriptions and somebody has terminated it; every worker calls this when it starts.
 * A store or a server that is away does not keep the worker from starting.
 */
export async function ensurePump(
  client: Pick<Client, 'workflow'>,
  db: Store,
  log: Log,
): Promise<void> {
  try {
    if ((await activeSubscriptions(db)).length === 0) return;
    await client.workflow.start(PUMP.type, {
      workflowId: PUMP.id,
      taskQueue: TASK_QUEUE,
      args: [{}],
      staticSummary: 'wakes subscriptions',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    log.warn({ err: error }, 'the pump of subscriptions could not be looked after');
  }
}
