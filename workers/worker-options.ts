import {
  NativeConnection,
  ResourceBasedController,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../contracts/constants/defined.js';
import type { WorkerConfig } from '../contracts/server/worker-config.js';
import { oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from '../temporal-config/connection.js';
import { reasonOf } from '../temporal-config/errors.js';
import { bundleFile, bundleSources } from './shipped-bundle.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Connects to Temporal, for as long as it takes, and logs the first failure. Resolves with undefined as soon as
 * `signal` is aborted, even if a server accepts the connection and does not answer.
 */
export async function connectPatiently(
  options: TemporalConnectionOptions,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (let wait = 0; !signal.aborted; wait = Math.min(wait * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS)) {
    await pause(wait, undefined, { signal }).catch(() => undefined);
    try {
      return await Promise.race([NativeConnection.connect(options), aborted]);
    } catch (error) {
      if (wait > 0) continue;
      log(`Temporal at ${options.address} is away, trying again until it is back: ${why(error)}`);
    }
  }
  return undefined;
}

/** Returns the reason in the text that the SDK's core prints. */
function why(error: unknown): string {
  const text = reasonOf(error);
  return /\b(?:message|error): "([^"]+)"/.exec(text)?.[1] ?? oneLine(text);
}

/**
 * Returns the workflow code as one bundle: that of `bundleFile`, else the sources, bundled now in a few seconds.
 * @throws StartupError if the named file does not exist
 */
export async function workflowBundle(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<WorkflowBundleOption> {
  const codePath = await bundleFile(env, log);
  return codePath === undefined ? bundleSources() : { codePath };
}

/** Returns the controller of slots that the three workers of a process share; undefined if their numbers are fixed. */
export function sharedResources({ resources }: WorkerConfig): ResourceBasedController | undefined {
  if (resources === undefined) return undefined;
  const { cpu, memory } = resources;
  return ResourceBasedController.create({ targetCpuUsage: cpu, targetMemoryUsage: memory });
}

/**
 * Returns how the worker of the workflows polls and caches. Tasks wait in a dead worker's own queue for a second at
 * most.
 */
export function workflowTuning(
  { cached_workflows, workflow_tasks, activities }: WorkerConfig,
  controller?: ResourceBasedController,
): Partial<WorkerOptions> {
  return {
    maxCachedWorkflows: cached_workflows,
    ...slots({ workflows: workflow_tasks.at_once, activities: activities.at_once }, controller),
    workflowTaskPollerBehavior: polling(workflow_tasks.pollers),
    activityTaskPollerBehavior: polling(activities.pollers),
    nonStickyToStickyPollRatio: 0.5,
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: '5s',
  };
}

/** Returns how the worker of the deliveries polls: no other activity waits behind those of a hanging channel. */
export function deliveryTuning(
  { deliveries }: WorkerConfig,
  controller?: ResourceBasedController,
): Partial<WorkerOptions> {
  return {
    ...slots({ activities: deliveries.at_once }, controller),
    activityTaskPollerBehavior: polling(deliveries.pollers),
    shutdownGraceTime: '5s',
  };
}

/** Returns how the worker of subscriptions polls: their deliveries wait for receivers, and the pump for events. */
export function feedTuning(
  { feed }: WorkerConfig,
  controller?: ResourceBasedController,
): Partial<WorkerOptions> {
  return {
    ...slots({ activities: feed.at_once }, controller),
    activityTaskPollerBehavior: polling(feed.pollers),
    shutdownGraceTime: '1s',
  };
}

/**
 * Returns how many tasks run at once: a fixed number, or as many as the machine bears, with a limit. The SDK would
 * pause 50 ms between two activities, in case they are long; ours are short.
 */
function slots(
  most: { readonly workflows?: number; readonly activities: number },
  controller: ResourceBasedController | undefined,
): Partial<WorkerOptions> {
  const { workflows, activities } = most;
  if (controller === undefined) {
    return {
      ...defined({ maxConcurrentWorkflowTaskExecutions: workflows }),
      maxConcurrentActivityTaskExecutions: activities,
    };
  }
  return {
    tuner: {
      controller,
      ...(workflows && { workflowTaskSlotOptions: { maximumSlots: workflows } }),
      activityTaskSlotOptions: { maximumSlots: activities, rampThrottle: '10ms' },
    },
  };
}

function polling(
  pollers: WorkerConfig['activities']['pollers'],
): NonNullable<WorkerOptions['activityTaskPollerBehavior']> {
  if (typeof pollers === 'number') return { type: 'simple-maximum', maximum: pollers };
  const { least, most } = pollers;
  return { type: 'autoscaling', minimum: least, maximum: most, initial: least };
}
