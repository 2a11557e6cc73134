import { Worker } from '@temporalio/worker';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../activities/types.js';
import { DELIVERY_TASK_QUEUE, FEED_TASK_QUEUE, TASK_QUEUE } from '../contracts/constants/names.js';
import type { WorkerConfig } from '../contracts/server/worker-config.js';
import { deliveryTuning, feedTuning, sharedResources, workflowTuning } from './worker-options.js';

/** The common parts of the workers of a process. */
type Shared = Pick<
  WorkerOptions,
  | 'connection'
  | 'namespace'
  | 'dataConverter'
  | 'interceptors'
  | 'sinks'
  | 'workerDeploymentOptions'
>;

/**
 * Creates the workers of one process. Activities that may wait long for somebody else have task queues and slots of their
 * own, so that a channel that hangs takes none from the questions. The journal stays with the workflows, because a worker
 * starts the activities of its own queue at once.
 */
export async function createWorkers(
  shared: Shared,
  workflowBundle: WorkflowBundleOption,
  activities: Activities,
  config: WorkerConfig,
): Promise<readonly Worker[]> {
  const resources = sharedResources(config);
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle,
      activities,
      ...workflowTuning(config, resources),
    }),
    Worker.create({
      ...shared,
      taskQueue: DELIVERY_TASK_QUEUE,
      activities: { notify: activities.notify.bind(activities) },
      ...deliveryTuning(config, resources),
    }),
    Worker.create({
      ...shared,
      taskQueue: FEED_TASK_QUEUE,
      activities: {
        deliverEvents: activities.deliverEvents.bind(activities),
        wakeSubscriptions: activities.wakeSubscriptions.bind(activities),
        tellOutcomes: activities.tellOutcomes.bind(activities),
        sendPushes: activities.sendPushes.bind(activities),
      },
      ...feedTuning(config, resources),
    }),
  ]);
}
