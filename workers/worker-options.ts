import { NativeConnection } from '@temporalio/worker';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerConfig } from '../contracts/worker-config.js';
import { oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from '../temporal-config/connection.js';
import { reasonOf } from '../temporal-config/errors.js';
import { bundleSources } from './bundle-sources.js';
import { bundleFile } from './shipped-bundle.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Connects to Temporal, for as long as it takes, and logs the first failure. Resolves with undefined as soon as
 * `signal` is aborted, also while a server accepts the connection and does not answer.
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

/** The reason within what the SDK's core prints of its own types. */
function why(error: unknown): string {
  const text = reasonOf(error);
  return /\b(?:message|error): "([^"]+)"/.exec(text)?.[1] ?? oneLine(text);
}

/**
 * The workflow code as one bundle: the file that `HOLDPOINT_WORKFLOW_BUNDLE` names, else the one that
 * `npm run build` made of the same sources, else the sources, bundled now, which takes a few seconds.
 *
 * @throws StartupError if the named file does not exist
 */
export async function workflowBundle(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<WorkflowBundleOption> {
  const codePath = await bundleFile(env, log);
  return codePath === undefined ? bundleSources() : { codePath };
}

/**
 * How the worker of the workflows polls and caches. It hands the tasks of a dead worker on within a second: they wait
 * in that worker's own queue no longer than the sticky timeout.
 */
export function workflowTuning({ cached_workflows, workflow_tasks, activities }: WorkerConfig) {
  return {
    maxCachedWorkflows: cached_workflows,
    maxConcurrentWorkflowTaskExecutions: workflow_tasks.at_once,
    maxConcurrentWorkflowTaskPolls: workflow_tasks.pollers,
    maxConcurrentActivityTaskExecutions: activities.at_once,
    maxConcurrentActivityTaskPolls: activities.pollers,
    nonStickyToStickyPollRatio: 0.5,
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: '5s',
  } as const satisfies Partial<WorkerOptions>;
}

/** Deliveries of a channel that hangs wait until they give up; no other activity waits behind them. */
export function deliveryTuning({ deliveries }: WorkerConfig) {
  return {
    maxConcurrentActivityTaskExecutions: deliveries.at_once,
    maxConcurrentActivityTaskPolls: deliveries.pollers,
    shutdownGraceTime: '5s',
  } as const satisfies Partial<WorkerOptions>;
}

/** Deliveries to subscriptions wait for their receivers, and the pump for events. */
export function feedTuning({ feed }: WorkerConfig) {
  return {
    maxConcurrentActivityTaskExecutions: feed.at_once,
    maxConcurrentActivityTaskPolls: feed.pollers,
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '1s',
  } as const satisfies Partial<WorkerOptions>;
}
