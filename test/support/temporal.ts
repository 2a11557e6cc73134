import { WorkflowClient } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { setTimeout as pause } from 'node:timers/promises';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { startDevServer } from '../../temporal-config/dev-server.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { freePort } from '../../temporal-config/ports.js';

/** A worker that runs until a test stops it. */
export interface RunningWorker {
  /** Drains the worker; resolves once it is gone. */
  readonly stop: () => Promise<void>;
}

export function run(worker: Worker): RunningWorker {
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API. */
const STARTED = 2;
/** Milliseconds between two looks at a server that should skip. */
const BETWEEN_LOOKS = 200;
const CALM_LOOKS = 5;
/** Milliseconds of the server's clock that no real time explains. */
const JUMP = 5_000;

/**
 * Lets time pass, also where the server has forgotten that it may skip: an Update or a Query that meets a
 * workflow task can leave behind the lock of a task that is long over. Where nothing has been under way for
 * some looks and time still stands, that lock is lifted.
 */
export async function sleepDespiteLostLocks(
  env: TestWorkflowEnvironment,
  duration: Duration,
): Promise<void> {
  let calm = 0;
  await watched(env.sleep(duration), async () => {
    calm = (await isBusy(env)) ? 0 : calm + 1;
    if (calm < CALM_LOOKS) return;
    calm = 0;
    await unlock(env);
  });
}

/**
 * Lets time pass while tasks wait for a worker that is away: each keeps the server from skipping, so its lock
 * is lifted meanwhile, and whatever other lock keeps time from its first jump is a lost one.
 */
export async function sleepPastWaitingTasks(
  env: TestWorkflowEnvironment,
  duration: Duration,
  waitingTasks: number,
): Promise<void> {
  const began = { here: performance.now(), there: await env.currentTimeMs() };
  const slept = env.sleep(duration);
  for (let task = 0; task < waitingTasks; task += 1) await unlock(env);
  let still = 0;
  await watched(slept, async () => {
    const passed = (await env.currentTimeMs()) - began.there;
    still = passed - (performance.now() - began.here) < JUMP ? still + 1 : -Infinity;
    if (still < CALM_LOOKS) return;
    still = 0;
    await unlock(env);
  });
  for (let task = 0; task < waitingTasks; task += 1)
    await env.connection.testService?.lockTimeSkipping({});
}

async function watched(slept: Promise<void>, look: () => Promise<void>): Promise<void> {
  const ended = slept.then(() => true);
  while (!(await Promise.race([ended, pause(BETWEEN_LOOKS, false)]))) await look();
}

async function unlock({ connection: { testService } }: TestWorkflowEnvironment): Promise<void> {
  if (!testService) throw new Error('the server cannot skip time');
  await testService.unlockTimeSkipping({});
}

/** Whether a task of any open workflow waits or runs; a try of an activity that is to come does not count. */
async function isBusy({ connection, namespace }: TestWorkflowEnvironment): Promise<boolean> {
  const client = new WorkflowClient({ connection });
  const open = await connection.workflowService.listOpenWorkflowExecutions({
    namespace: namespace ?? 'default',
    maximumPageSize: 1_000,
  });
  for (const { execution } of open.executions) {
    const handle = client.getHandle(execution?.workflowId ?? '');
    const { raw } = await handle.describe();
    if (raw.pendingActivities?.some(({ state }) => Number(state) === STARTED)) return true;
    const last = (await handle.fetchHistory()).events?.at(-1);
    if (last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes)
      return true;
  }
  return false;
}

/** A Temporal dev server of its own, in memory. */
export async function startTemporal(): Promise<DevServer> {
  const { path } = await resolveTemporalCli({ log: () => undefined });
  return startDevServer({ cliPath: path, port: await freePort() });
}
