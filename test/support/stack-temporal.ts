import type { ConnectionLike } from '@temporalio/client';
import assert from 'node:assert/strict';
import type { Activities } from '../../activities/types.js';
import {
  DELIVERY_TASK_QUEUE,
  FEED_TASK_QUEUE,
  TASK_QUEUE,
} from '../../contracts/constants/names.js';
import { workerConfigSchema, type WorkerConfig } from '../../contracts/server/worker-config.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import { createWorkers } from '../../workers/create-workers.js';
import type { WorkerTracing } from '../../workers/tracing/start.js';
import { LiveClock } from '../temporal/live-clock.js';
import { DELAYS } from './delays.js';
import { LocalTemporal } from '../temporal/local-temporal.js';
import { localPlace } from '../workflows/support/places.js';
import { PATIENT_ISOLATES } from './patience.js';
import { ourCode, testBundle } from './temporal-test-server.js';
import { run, startTemporal, type RunningWorker, type StartedTemporal } from './temporal.js';

/** The work of the workers of a stack. */
export interface StackWork {
  readonly activities: Activities;
  readonly config: WorkerConfig;
}

/** What traces the API and the worker of a stack. */
export interface StackTraces {
  readonly api: Tracing | undefined;
  readonly worker: WorkerTracing;
}

/** The Temporal of a stack, which it has to itself until it stops it. */
export interface StackTemporal {
  readonly connection: ConnectionLike;
  readonly traces: StackTraces | undefined;
  startWorkers(work: StackWork): Promise<RunningWorker>;
  stop(): Promise<void>;
}

/**
 * A server, with the product's own workers: for what a test shows of Temporal, of races and of schedules.
 *
 * @param traces - what traces the calls of the API, and its workers; nothing unless given
 */
export async function onServer(
  server: Promise<StartedTemporal> = startTemporal(),
  traces?: StackTraces,
): Promise<StackTemporal> {
  const { connection, native, stop } = await server;
  return {
    connection,
    stop,
    traces,
    async startWorkers({ activities, config }) {
      const shared = {
        connection: await native(),
        ...PATIENT_ISOLATES,
        ...(traces && {
          sinks: traces.worker.sinks,
          interceptors: { activity: traces.worker.activities },
        }),
      };
      const workers = await createWorkers(shared, await testBundle(), activities, config);
      return together(workers.map(run));
    },
  };
}

/**
 * Temporal in this process.
 *
 * @param place - one that goes by the clock of the machine unless given
 */
export async function inThisProcess(
  place = localPlace(new LocalTemporal((order) => new LiveClock(order))),
): Promise<StackTemporal> {
  const code = await ourCode();
  return {
    connection: {
      ...place.connection,
      workflowService: DELAYS.calls(place.connection.workflowService),
    },
    stop: () => place.giveBack(),
    traces: undefined,
    async startWorkers({ activities, config }) {
      const unset = workerConfigSchema.parse({});
      assert.deepEqual(
        config,
        unset,
        'Temporal in this process has no workers to set anything of.',
      );
      const queues = [TASK_QUEUE, DELIVERY_TASK_QUEUE, FEED_TASK_QUEUE];
      const workers = await Promise.all(
        queues.map((taskQueue) =>
          place.startWorker({
            taskQueue,
            activities: DELAYS.calls({ ...activities }),
            ...(taskQueue === TASK_QUEUE && { code }),
          }),
        ),
      );
      return together(workers);
    },
  };
}

function together(workers: readonly RunningWorker[]): RunningWorker {
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
