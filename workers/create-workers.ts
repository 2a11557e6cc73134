import { Worker } from '@temporalio/worker';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../activities/types.js';
import { DELIVERY_TASK_QUEUE, FEED_TASK_QUEUE, TASK_QUEUE } from '../contracts/constants/names.js';
import type { WorkerConfig } from '../contracts/worker-config.js';
import { deliveryTuning, feedTuning, workflowTuning } from './worker-options.js';

/** What the workers of a process have in common. */
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
 * The workers of one process. Activities that may wait long for somebody else have task queues and slots of their
 * own: a channel that hangs takes none from the questions that are being asked. The journal stays with the workflows,
 * for a worker starts at once the activities of its own queue that a workflow task brings.
 */
export async function createWorkers(
  shared: Shared,
  workflowBundle: WorkflowBundleOption,
  activities: Activities,
  config: WorkerConfig,
): Promise<readonly Worker[]> {
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle,
      activities,
      ...workflowTuning(config),
    }),
    Worker.create({
      ...shared,
      taskQueue: DELIVERY_TASK_QUEUE,
      activities: { notify: activities.notify.bind(activities) },
      ...deliveryTuning(config),
    }),
    Worker.create({
      ...shared,
      taskQueue: FEED_TASK_QUEUE,
      activities: {
        deliverEvents: activities.deliverEvents.bind(activities),
        wakeSubscriptions: activities.wakeSubscriptions.bind(activities),
        tellOutcomes: activities.tellOutcomes.bind(activities),
      },
      ...feedTuning(config),
    }),
  ]);
}
