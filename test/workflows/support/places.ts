import { WorkflowClient, type ConnectionLike } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import type { InjectedSinks } from '@temporalio/worker';
import { assertAllReplay, type MadeHistory } from './made-histories.js';
import type { WorkflowCode } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { LocalTemporal } from '../../temporal/local-temporal.js';
import type { Run } from '../../temporal/run.js';
import type { TracingSinks } from '../../../workflows/engine/tracing.js';

/** What only a worker of the SDK has, which needs a server. */
export interface WorkerSettings {
  /** 0 evicts every workflow after each task, so that each task replays its whole history. */
  readonly maxCachedWorkflows?: number;
  readonly maxConcurrentActivityTaskExecutions?: number;
}

/** What a worker carries out. */
export interface Work extends WorkerSettings {
  readonly taskQueue: string;
  /** Its workflows; without them it carries out activities only. */
  readonly code?: WorkflowCode;
  readonly activities: Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
  readonly sinks?: InjectedSinks<TracingSinks>;
}

/** A Temporal that a world has to itself, until it gives it back. */
export interface Place {
  readonly connection: ConnectionLike;
  /** Starts workflows and sends them messages. */
  readonly client: WorkflowClient;
  now(): Promise<number>;
  /** Lets time pass, whether a worker is there or not. */
  sleep(duration: Duration): Promise<void>;
  startWorker(work: Work): Promise<RunningWorker>;
  /** Holds back what would start children, until the returned function is called; only in this process. */
  readonly holdStarts?: () => () => void;
  /**
   * Fails unless all that its workflows did would be done again, to the letter.
   *
   * @param notReplayed - why that is not looked at
   */
  giveBack(notReplayed?: string): Promise<void>;
}

/**
 * Temporal in this process.
 *
 * @param server - one with a clock that stands unless given
 */
export function localPlace(server = new LocalTemporal()): Place {
  const codes = new Map<string, WorkflowCode>();
  return {
    connection: server.connection,
    client: new WorkflowClient({ connection: server.connection }),
    now: () => Promise.resolve(server.clock.now),
    sleep: (duration) => server.sleep(msToNumber(duration)),
    holdStarts: () => server.holdStarts(),
    async startWorker({ code, taskQueue, activities, sinks, ...settings }) {
      const [unheeded] = Object.keys(settings);
      if (unheeded) throw new Error(`${unheeded} needs a worker of the SDK, and so a server`);
      if (code) codes.set(taskQueue, code);
      const worker = {
        taskQueue,
        activities,
        ...(code && { bundle: code.bundle }),
        ...(sinks && { sinks: sinks as never }),
      };
      server.startWorker(worker);
      return { stop: () => server.stopWorker(worker) };
    },
    async giveBack(notReplayed) {
      server.check();
      await server.close();
      if (notReplayed === undefined) await assertAllReplay(server.allRuns.map(historyOf), codes);
    },
  };
}

/** What a run left. */
function historyOf({ start, runId, history: { events } }: Run): MadeHistory {
  return {
    name: runId,
    workflowId: start.workflowId,
    history: proto.temporal.api.history.v1.History.fromObject({ events }),
    taskQueue: start.taskQueue,
  };
}
