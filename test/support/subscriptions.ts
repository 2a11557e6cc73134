import { randomUUID } from 'node:crypto';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { EXAMPLES } from '../../api/openapi/examples.js';
import { FEED_TASK_QUEUE, workflowIdOf } from '../../contracts/constants/names.js';
import type { Subscription } from '../../contracts/subscription.js';
import type { SubscriptionInput } from '../../workflows/subscription/messages.js';
import type { subscription } from '../../workflows/subscription/workflow.js';
import { run, type RunningWorker } from './running-worker.js';
import type { World } from './world.js';

/** A worker of the world for the deliveries of subscriptions. */
export async function startFeedWorker({ env, activities }: World): Promise<RunningWorker> {
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: FEED_TASK_QUEUE,
    activities: {
      deliverEvents: (request: Parameters<typeof activities.deliverEvents>[0]) =>
        activities.deliverEvents(request),
    },
    maxHeartbeatThrottleInterval: 100,
    shutdownForceTime: '5s',
  });
  return run(worker);
}

/** Starts a subscription after place 3. */
export async function openSubscription(
  world: World,
  more: Partial<Subscription> = {},
  input: Partial<SubscriptionInput> = {},
): Promise<{ handle: WorkflowHandleWithFirstExecutionRunId<typeof subscription>; id: string }> {
  const record: Subscription = { ...EXAMPLES.subscription, id: randomUUID(), ...more };
  const handle = await world.client.start<typeof subscription>('subscription', {
    workflowId: workflowIdOf('subscription', record.id),
    taskQueue: world.taskQueue,
    args: [{ subscription: record, sees_all: true, after: 3, ...input }],
  });
  return { handle, id: record.id };
}
