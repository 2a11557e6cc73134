import type { WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import { FEED_TASK_QUEUE, workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import type { Subscription } from '../../../contracts/subscription/subscription.js';
import type { SubscriptionRun, subscription } from '../../../workflows/subscription/workflow.js';
import { EXAMPLES } from '../../support/examples.js';
import { lookUntil } from '../../support/looks.js';
import type { RunningWorker } from '../../support/temporal.js';
import type { World } from './world.js';

/** An observer that only lets Signals come in, for no worker polls its task queue. */
export async function stillObserver(world: World): Promise<WorkflowHandle> {
  const workflowId = `still-${randomUUID()}`;
  return world.client.start('still', { workflowId, taskQueue: workflowId });
}

/** The announcements in the history of an observer's run, in the order in which they came. */
export async function announcedTo(observer: WorkflowHandle): Promise<readonly Announcement[]> {
  const { events } = await observer.fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal?.signalName === 'announcement'
      ? [defaultPayloadConverter.fromPayload<Announcement>(signal.input?.payloads?.[0] ?? {})]
      : [],
  );
}

/** The newest announcement to an observer, once it is one that is looked for. */
export async function announced(
  observer: WorkflowHandle,
  wanted: (newest: Announcement) => boolean,
): Promise<readonly Announcement[]> {
  return lookUntil(async () => {
    const all = await announcedTo(observer);
    const newest = all.at(-1);
    return newest && wanted(newest) && all;
  }, 'it is not announced');
}

/** Resolves once an observer has been told that an intent has this status. */
export async function toldOf(
  observer: WorkflowHandle,
  intentId: string,
  status: IntentStatus,
): Promise<void> {
  await lookUntil(async () => {
    const all = await announcedTo(observer);
    return all.some((one) => one.intent_id === intentId && one.status === status);
  }, `it is not announced that it is ${status}`);
}

/** A worker of the world for the deliveries of subscriptions, and for what messages are told. */
export async function startFeedWorker({ place, activities }: World): Promise<RunningWorker> {
  return place.startWorker({
    taskQueue: FEED_TASK_QUEUE,
    activities: {
      deliverEvents: (request: Parameters<typeof activities.deliverEvents>[0]) =>
        activities.deliverEvents(request),
      wakeSubscriptions: (request: Parameters<typeof activities.wakeSubscriptions>[0]) =>
        activities.wakeSubscriptions(request),
      tellOutcomes: () => activities.tellOutcomes(),
      sendPushes: () => activities.sendPushes(),
    },
  });
}

/** Starts a subscription after place 3. */
export async function openSubscription(
  world: World,
  more: Partial<Subscription> = {},
  input: Partial<SubscriptionRun> = {},
): Promise<{ handle: WorkflowHandleWithFirstExecutionRunId<typeof subscription>; id: string }> {
  const record: Subscription = { ...EXAMPLES.subscription, id: randomUUID(), ...more };
  const handle = await world.client.start<typeof subscription>('subscription', {
    workflowId: workflowIdOf('subscription', record.id),
    taskQueue: world.taskQueue,
    args: [{ subscription: record, sees_all: true, after: 3, ...input }],
  });
  return { handle, id: record.id };
}
