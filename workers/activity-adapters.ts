import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { SignalDefinition } from '@temporalio/common';
import type { DeliveryLog } from '../activities/channels/channel.js';
import { createWebhookSender } from '../activities/channels/webhook/sender.js';
import type { WebhookSender } from '../activities/channels/webhook/sender.js';
import type { DeadlinePorts, NotePorts, ObserverPorts } from '../activities/signals.js';
import type { ServerConfig } from '../contracts/config.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { OwnQuestion } from '../contracts/intent.js';
import { deliveryOf, recordDelivery, recordTry } from '../store/queries/deliveries.js';
import type { Store } from '../store/schema.js';
import { announcementSignal, observeSignal } from '../workflows/engine/messages.js';
import { appendEventUpdate, suspendUpdate } from '../workflows/intent/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';

/** The record of deliveries that the notify activity consults, kept in the store. */
export function storedDeliveryLog(db: Store): DeliveryLog {
  return {
    async find(deliveryId) {
      const found = await deliveryOf(db, deliveryId);
      if (found === undefined) return undefined;
      const { channel, reference } = found;
      return reference === null ? { channel } : { channel, reference };
    },
    async record(deliveryId, { channel, reference = null }, deliveredAt) {
      const delivery = { delivery_id: deliveryId, channel, reference, delivered_at: deliveredAt };
      await recordDelivery(db, delivery);
    },
    recordTry: (tried) => recordTry(db, tried),
  };
}

/** How events are posted to subscriptions; undefined where there are no secrets to sign with. */
export function webhookSenderOf({ subscriptions }: ServerConfig): WebhookSender | undefined {
  const { secrets, ...posting } = subscriptions;
  return secrets && createWebhookSender({ secrets, ...posting });
}

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
