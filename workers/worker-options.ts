import { DefaultLogger, NativeConnection, bundleWorkflowCode } from '@temporalio/worker';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TemporalConnectionOptions } from '../temporal-config/connection.js';
import { reasonOf } from '../temporal-config/errors.js';
import { shippedBundle } from './shipped-bundle.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Connects to Temporal, for as long as it takes: the first failure is told in one line, the others
 * are not. Resolves with undefined where `signal` is aborted first.
 */
export async function connectPatiently(
  options: TemporalConnectionOptions,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  for (let wait = 0; !signal.aborted; wait = Math.min(wait * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS)) {
    await pause(wait, undefined, { signal }).catch(() => undefined);
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      if (wait > 0) continue;
      log(
        `Temporal at ${options.address} is away, trying again until it is back: ${oneLine(error)}`,
      );
    }
  }
  return undefined;
}

function oneLine(error: unknown): string {
  return reasonOf(error).replace(/\s*\n\s*/g, ' ');
}

/**
 * The workflow code as one bundle: the file that `HOLDPOINT_WORKFLOW_BUNDLE` names, else the one that
 * was built with the package, else the sources, bundled now, which takes a few seconds.
 */
export async function workflowBundle(env: NodeJS.ProcessEnv): Promise<WorkflowBundleOption> {
  const prebuilt = env['HOLDPOINT_WORKFLOW_BUNDLE'] || shippedBundle();
  return prebuilt ? { codePath: prebuilt } : bundleSources();
}

/** Bundles `workflows/` from its sources. */
export async function bundleSources(): Promise<{ code: string }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL(`../workflows/index.${extension}`, import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * How a worker polls and caches, as measured (design §9): many pollers because a suspension is many
 * short tasks, a short sticky timeout so that a dead worker's tasks move on within a second, and a bounded
 * cache because a waiting workflow needs no memory.
 */
export const WORKER_TUNING = {
  maxConcurrentWorkflowTaskPolls: 40,
  maxConcurrentWorkflowTaskExecutions: 200,
  maxConcurrentActivityTaskPolls: 10,
  maxConcurrentActivityTaskExecutions: 100,
  nonStickyToStickyPollRatio: 0.5,
  stickyQueueScheduleToStartTimeout: '1s',
  maxCachedWorkflows: 300,
  shutdownGraceTime: '5s',
} as const satisfies Partial<WorkerOptions>;

/** Deliveries to subscriptions mostly wait for events, one for each subscription. */
export const FEED_TUNING = {
  maxConcurrentActivityTaskExecutions: 2_000,
  maxConcurrentActivityTaskPolls: 2,
  maxHeartbeatThrottleInterval: '2s',
  shutdownGraceTime: '1s',
} as const satisfies Partial<WorkerOptions>;
