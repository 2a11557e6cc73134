import { Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../activities/types.js';
import { DELIVERY_TASK_QUEUE, FEED_TASK_QUEUE, TASK_QUEUE } from '../contracts/constants/names.js';
import type { WorkerConfig } from '../contracts/server/worker-config.js';
import { deliveryTuning, feedTuning, sharedResources, workflowTuning } from './worker-options.js';
import { describeAttributes, type AttributesFound } from '../temporal-config/missing-attributes.js';
import {
  ensureSearchAttributes,
  type OperatorConnection,
} from '../temporal-config/search-attributes.js';
import type { Log } from './log.js';

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
 * Creates the workers of one process. Activities that may wait long for others have task queues and slots of their
 * own, so that a hanging channel takes none from the questions. The journal shares the workflows' queue, whose
 * activities a worker starts at once.
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

/**
 * Registers the search attributes before a worker polls. If the server forbids it, logs what is missing or unchecked,
 * so that the worker starts all the same.
 *
 * @returns what is known of them
 * @throws TemporalConfigError if the server fails, or has an attribute with another type
 */
export async function readySearchAttributes(
  connection: OperatorConnection,
  namespace: string,
  log: Log,
): Promise<AttributesFound> {
  const found = await ensureSearchAttributes(connection, namespace);
  const said = describeAttributes(found);
  if (said !== undefined) {
    log.warn({ namespace, ...found }, `${said}; the server does not let this worker add them`);
  }
  return found;
}
