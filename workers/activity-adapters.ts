import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { SignalDefinition } from '@temporalio/common';
import { createWebhookSender } from '../activities/channels/webhook/sender.js';
import type { WebhookSender } from '../activities/channels/webhook/sender.js';
import type {
  ActivityDependencies,
  DeliveryLog,
  WorkflowMessages,
} from '../activities/dependencies.js';
import type { ServerConfig } from '../contracts/config.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { OwnQuestion } from '../contracts/intent.js';
import { writeRows } from '../store/journal-writer.js';
import { deliveryOf, recordDelivery, recordTry } from '../store/queries/deliveries.js';
import { linkDependency } from '../store/queries/graph.js';
import { storedAnnouncement } from '../store/queries/intent.js';
import { taskNews } from '../store/queries/plan.js';
import { membershipChanges } from '../store/queries/portfolio.js';
import { findSuspension } from '../store/queries/suspension.js';
import type { Store } from '../store/schema.js';
import { announcementSignal, observeSignal } from '../workflows/engine/messages.js';
import { appendEventUpdate, suspendUpdate } from '../workflows/intent/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';

/** What the activities of a worker use, over its store and the connection of the worker that runs them. */
export function activityDependencies({
  db,
  feed,
  channels,
  config,
}: ActivitySources): ActivityDependencies {
  return {
    store: {
      writeRows: (rows) => writeRows(db, rows),
      linkDependency: (edge) => linkDependency(db, edge),
      membershipChanges: (request) => membershipChanges(db, request),
      taskNews: (taskIds) => taskNews(db, taskIds),
      storedAnnouncement: (intentId) => storedAnnouncement(db, intentId),
      findSuspension: (suspensionId) => findSuspension(db, suspensionId),
    },
    deliveries: storedDeliveryLog(db),
    workflows: workflowMessages(),
    channels,
    feed,
    sendWebhook: webhookSenderOf(config),
    config,
    now: () => new Date(),
  };
}

interface ActivitySources extends Pick<ActivityDependencies, 'feed' | 'channels' | 'config'> {
  readonly db: Store;
}

/** The log of deliveries, kept in the store. */
function storedDeliveryLog(db: Store): DeliveryLog {
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

/** Posts events to subscriptions; undefined without secrets to sign with. */
function webhookSenderOf({ subscriptions }: ServerConfig): WebhookSender | undefined {
  const { secrets, ...posting } = subscriptions;
  return secrets && createWebhookSender({ secrets, ...posting });
}

/** Sends messages over the connection of the worker that runs the calling activity. */
export function workflowMessages(): WorkflowMessages {
  return {
    announce: (observer, announcement) => signal(observer, announcementSignal, announcement),
    observe: (intentId, observer) =>
      signal(workflowIdOf('intent', intentId), observeSignal, observer),
    expireQuestion: (suspensionId, deadline) =>
      signal(workflowIdOf('suspension', suspensionId), expireNowSignal, deadline),
    expireIntent: (intentId, deadline) =>
      signal(workflowIdOf('intent', intentId), expireNowSignal, deadline),
    appendEvent: async ({ key, intent_id, question, ...draft }) => {
      if (question && (await isAsked(key, question))) return;
      const handle = getClient().workflow.getHandle(workflowIdOf('intent', intent_id));
      try {
        await handle.executeUpdate(appendEventUpdate, { args: [{ ...draft, key }], updateId: key });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) && !isClosedIntent(error)) throw error;
      }
    },
  };
}

/** Suspends an intent with a question, once under a key; false if the intent cannot be suspended. */
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

/** Whether the refusal is final: an intent between two runs can be asked again. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type !== 'moving';
}

/** The intent has just been closed. */
function isClosedIntent(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type === 'intent_closed';
}

/** False if the workflow is closed or missing. */
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
