import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import type { DeadlinePorts } from '../activities/deadlines.js';
import type { ObserverPorts } from '../activities/observers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import { announcementSignal, observeSignal } from '../workflows/observing/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';

/** Signals workflows over the connection of the worker whose activity asks for it. */
export function temporalSignals(): Pick<ObserverPorts, 'tell' | 'ask'> & DeadlinePorts {
  return {
    tell: (observer, announcement) => signal(observer, announcementSignal, announcement),
    expire: (suspensionId, deadline) =>
      signal(workflowIdOf('suspension', suspensionId), expireNowSignal, deadline),
    ask: (intentId, observer) => signal(workflowIdOf('intent', intentId), observeSignal, observer),
  };
}

/** False where the workflow is closed or missing. */
async function signal<A>(
  workflowId: string,
  definition: SignalDefinition<[A]>,
  argument: A,
): Promise<boolean> {
  try {
    await getClient().workflow.getHandle(workflowId).signal(definition, argument);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
