import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { startTracing } from '../../runtime/tracing/start.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import type { TracingSinks } from '../../workflows/engine/tracing.js';
import { currentTraceparent, traceActivities, traced } from './activities.js';
import { NO_TRACES, workflowSpans } from './sinks.js';

/** The options with which a worker is traced; without effect if there is no endpoint. */
export interface WorkerTracing {
  readonly sinks: InjectedSinks<TracingSinks>;
  readonly activities: NonNullable<WorkerInterceptors['activity']>;
  readonly traced: (dependencies: ActivityDependencies) => ActivityDependencies;
  /** For what deliveries send along. */
  readonly traceparent: () => string | undefined;
  readonly close: () => Promise<void>;
}

const OFF: WorkerTracing = {
  sinks: NO_TRACES,
  activities: [],
  traced: (dependencies) => dependencies,
  traceparent: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Traces a worker, if the environment names an endpoint; see `startTracing`.
 *
 * @throws StartupError if a setting cannot be used
 */
export async function startWorkerTracing(
  env: NodeJS.ProcessEnv,
  log: Logger,
): Promise<WorkerTracing> {
  const tracing = await startTracing(env, 'holdpoint-worker', log);
  return tracing === undefined ? OFF : workerTracing(tracing);
}

/** Traces a worker. */
export function workerTracing(tracing: Tracing): WorkerTracing {
  return {
    sinks: workflowSpans(tracing),
    activities: [traceActivities(tracing)],
    traced: (dependencies) => traced(tracing, dependencies),
    traceparent: currentTraceparent,
    close: () => tracing.close(),
  };
}
