import type { ConnectionLike } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { InjectedSinks, NativeConnection, WorkflowBundleOption } from '@temporalio/worker';
import * as workflows from '../../../workflows/index.js';
import { replayAll } from './histories.js';
import { run, startTemporal } from '../../support/temporal.js';
import type { RunningWorker } from '../../support/temporal.js';
import { LocalTemporal } from '../../temporal/local-temporal.js';
import type { TracingSinks } from '../../../workflows/engine/tracing.js';
import {
  giveTimeSkippingBack,
  sleepDespiteLostLocks,
  sleepPastWaitingTasks,
  takeTimeSkipping,
} from './time-skipping.js';

const OURS: ReadonlySet<string> = new Set(Object.keys(workflows));

/** What a worker carries out. */
export interface Work {
  readonly taskQueue: string;
  /** Its workflows; without them it carries out activities only. */
  readonly bundle?: WorkflowBundleOption;
  readonly activities: Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
  /** 0 evicts every workflow after each task, so that each task replays its whole history. */
  readonly maxCachedWorkflows?: number;
  readonly maxConcurrentActivityTaskExecutions?: number;
  readonly maxHeartbeatThrottleInterval?: number;
  readonly sinks?: InjectedSinks<TracingSinks>;
}

/** A Temporal that a world has to itself, until it gives it back. */
export interface Place {
  readonly connection: ConnectionLike;
  /** Whether what it is sent reaches it, and what it does is done, in an order that a test can rely on. */
  readonly isOrderly: boolean;
  now(): Promise<number>;
  /** Lets time pass; a worker may be there. */
  sleep(duration: Duration): Promise<void>;
  /** Lets time pass while so many tasks wait for a worker that is away. */
  sleepPastTasks(duration: Duration, waitingTasks: number): Promise<void>;
  startWorker(work: Work): Promise<RunningWorker>;
  giveBack(): Promise<void>;
}

/** Temporal in this process. */
export function localPlace(): Place {
  const server = new LocalTemporal();
  const sleep = (duration: Duration) => server.sleep(msToNumber(duration));
  return {
    connection: server.connection,
    isOrderly: true,
    now: () => Promise.resolve(server.clock.now),
    sleep,
    sleepPastTasks: sleep,
    async startWorker({ bundle, taskQueue, activities, sinks }) {
      const worker = {
        taskQueue,
        activities,
        ...(bundle && { bundle }),
        ...(sinks && { sinks: sinks as never }),
      };
      server.startWorker(worker);
      return { stop: () => server.stopWorker(worker) };
    },
    giveBack: async () => {
      server.check();
      await server.close();
      await assertReplays(server);
    },
  };
}

/** Fails unless the code that each run of ours had would do the same again, to the letter. */
async function assertReplays(server: LocalTemporal): Promise<void> {
  const ours = server.allRuns.filter(({ start }) => OURS.has(start.type));
  const failures = await replayAll(
    ours.map(({ start, runId, history: { events } }) => ({
      name: runId,
      workflowId: start.workflowId,
      history: proto.temporal.api.history.v1.History.fromObject({ events }),
    })),
  );
  const failed = [...failures.values()].filter((failure) => failure !== undefined);
  if (failed.length > 0)
    throw new AggregateError(
      failed,
      `${failed.length} runs of ${ours.length} do not replay: ${String(failed[0])}`,
    );
}

/** A server that skips time. */
export async function skippingPlace(connect?: Connect): Promise<Place> {
  const env = await takeTimeSkipping();
  return {
    ...(await placeOf(env, connect)),
    sleep: (duration) => sleepDespiteLostLocks(env, duration),
    sleepPastTasks: (duration, waiting) => sleepPastWaitingTasks(env, duration, waiting),
    giveBack: () => giveTimeSkippingBack(env),
  };
}

/** A development server, whose time is the real one. */
export async function devPlace(connect?: Connect): Promise<Place> {
  const { address, stop } = await startTemporal();
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address });
  const sleep = async (duration: Duration) => env.sleep(duration);
  return {
    ...(await placeOf(env, connect)),
    sleep,
    sleepPastTasks: sleep,
    giveBack: async () => {
      await env.teardown();
      await stop();
    },
  };
}

/** Connects a worker to the server at an address. */
export type Connect = (address: string) => Promise<NativeConnection>;

async function placeOf(
  env: TestWorkflowEnvironment,
  connect?: Connect,
): Promise<Pick<Place, 'connection' | 'isOrderly' | 'now' | 'startWorker'>> {
  const connection = connect ? await connect(env.address) : env.nativeConnection;
  return {
    connection: env.connection,
    isOrderly: false,
    now: () => env.currentTimeMs(),
    async startWorker({ bundle, ...work }) {
      const worker = await Worker.create({
        connection,
        ...(bundle && { workflowBundle: bundle, maxCachedWorkflows: 100 }),
        stickyQueueScheduleToStartTimeout: '1s',
        shutdownGraceTime: '1s',
        shutdownForceTime: '60s',
        ...work,
      });
      return run(worker);
    },
  };
}
