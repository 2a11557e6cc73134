import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { SignalDefinition } from '@temporalio/common';
import type { DeadlinePorts } from '../activities/deadlines.js';
import type { NotePorts } from '../activities/notes.js';
import type { ObserverPorts } from '../activities/observers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import { appendEventUpdate } from '../workflows/intent/messages.js';
import { announcementSignal, observeSignal } from '../workflows/observing/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';

/** Signals workflows over the connection of the worker whose activity asks for it. */
export function temporalSignals(): Pick<ObserverPorts, 'tell' | 'ask'> & DeadlinePorts & NotePorts {
  return {
    tell: (observer, announcement) => signal(observer, announcementSignal, announcement),
    append: async ({ key, intent_id, ...draft }) => {
      const handle = getClient().workflow.getHandle(workflowIdOf('intent', intent_id));
      try {
        await handle.executeUpdate(appendEventUpdate, { args: [draft], updateId: key });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) && !isClosedIntent(error)) throw error;
      }
    },
    expire: (suspensionId, deadline) =>
      signal(workflowIdOf('suspension', suspensionId), expireNowSignal, deadline),
    ask: (intentId, observer) => signal(workflowIdOf('intent', intentId), observeSignal, observer),
  };
}

/** The intent has just been closed. */
function isClosedIntent(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type === 'intent_closed';
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
