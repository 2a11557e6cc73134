import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { SignalDefinition } from '@temporalio/common';
import type { DeadlinePorts } from '../activities/deadlines.js';
import type { NotePorts } from '../activities/notes.js';
import type { ObserverPorts } from '../activities/observers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { OwnQuestion } from '../contracts/intent-note.js';
import { appendEventUpdate, suspendUpdate } from '../workflows/intent/messages.js';
import { announcementSignal, observeSignal } from '../workflows/observing/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';

/** Signals workflows over the connection of the worker whose activity asks for it. */
export function temporalSignals(): Pick<ObserverPorts, 'tell' | 'ask'> & DeadlinePorts & NotePorts {
  return {
    tell: (observer, announcement) => signal(observer, announcementSignal, announcement),
    append: async ({ key, intent_id, question, ...draft }) => {
      if (question && (await isAsked(key, question))) return;
      const handle = getClient().workflow.getHandle(workflowIdOf('intent', intent_id));
      try {
        await handle.executeUpdate(appendEventUpdate, { args: [{ ...draft, key }], updateId: key });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) && !isClosedIntent(error)) throw error;
      }
    },
    expire: (suspensionId, deadline) =>
      signal(workflowIdOf('suspension', suspensionId), expireNowSignal, deadline),
    abandon: (intentId, deadline) =>
      signal(workflowIdOf('intent', intentId), expireNowSignal, deadline),
    ask: (intentId, observer) => signal(workflowIdOf('intent', intentId), observeSignal, observer),
  };
}

/** Suspends an intent with a question, once under a key; false where it cannot be suspended. */
async function isAsked(key: string, { intent_id, actor, draft }: OwnQuestion): Promise<boolean> {
  const handle = getClient().workflow.getHandle(workflowIdOf('intent', intent_id));
  const input = { actor, draft, request: { key, body_hash: key } };
  try {
    await handle.executeUpdate(suspendUpdate, { args: [input], updateId: key });
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefused(error)) return false;
    throw error;
  }
}

/** For good: one that is between two runs can be asked again. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type !== 'moving';
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
