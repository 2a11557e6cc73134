import { WorkflowClient } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerPool } from '../../support/server-pool.js';
import { startTimeSkipping } from '../../support/temporal-test-server.js';
import { terminateOpen } from '../../support/temporal.js';

/**
 * Servers of which a lock was lifted. Whether it was a lost one is not certain, and where it was not, time
 * moves too early for the next user.
 */
const unlocked = new WeakSet<TestWorkflowEnvironment>();

/** Milliseconds that must pass at once on a server on which nothing is left. */
const PROBE_MS = 3_000;

const servers = new ServerPool<TestWorkflowEnvironment>({
  start: startTimeSkipping,
  clean: async (env) => {
    if (unlocked.has(env)) return false;
    const client = new WorkflowClient({ connection: env.connection });
    if (!(await terminateOpen(client, () => openWorkflows(env)))) return false;
    // Where a lock was lost, this takes the time that it names.
    const began = performance.now();
    await env.sleep(PROBE_MS);
    return performance.now() - began < PROBE_MS / 2;
  },
  stop: (env) => env.teardown(),
});

/**
 * A time-skipping server that the caller has to itself until it gives it back. Its clock is where the last
 * user left it.
 */
export async function takeTimeSkipping(): Promise<TestWorkflowEnvironment> {
  return servers.take();
}

/** Ends every workflow on the server, and lets the next have it where its time still moves. */
export async function giveTimeSkippingBack(env: TestWorkflowEnvironment): Promise<void> {
  await servers.giveBack(env);
}

async function openWorkflows({
  connection,
  namespace,
}: TestWorkflowEnvironment): Promise<string[]> {
  const open = await connection.workflowService.listOpenWorkflowExecutions({
    namespace: namespace ?? 'default',
    maximumPageSize: 1_000,
  });
  return open.executions.map(({ execution }) => execution?.workflowId ?? '');
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

async function unlock(env: TestWorkflowEnvironment): Promise<void> {
  const { testService } = env.connection;
  if (!testService) throw new Error('the server cannot skip time');
  unlocked.add(env);
  await testService.unlockTimeSkipping({});
}

/** Whether a task of any open workflow waits or runs; a try of an activity that is to come does not count. */
async function isBusy(env: TestWorkflowEnvironment): Promise<boolean> {
  const client = new WorkflowClient({ connection: env.connection });
  for (const workflowId of await openWorkflows(env)) {
    const handle = client.getHandle(workflowId);
    const { raw } = await handle.describe();
    if (raw.pendingActivities?.some(({ state }) => Number(state) === STARTED)) return true;
    const last = (await handle.fetchHistory()).events?.at(-1);
    if (last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes)
      return true;
  }
  return false;
}
