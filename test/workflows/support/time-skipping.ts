import { WorkflowClient } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { TestService } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerPool } from '../../support/server-pool.js';
import { startTimeSkipping } from '../../support/temporal-test-server.js';
import { terminateOpen } from '../../support/temporal.js';

/**
 * Servers of which a lock was lifted while workflows were open. Whether it was a lost one is not certain, and
 * where it was not, time moves too early for the next user.
 */
const unlocked = new WeakSet<TestWorkflowEnvironment>();

const servers = new ServerPool<TestWorkflowEnvironment>({
  start: startTimeSkipping,
  clean: async (env) => {
    if (unlocked.has(env)) return false;
    const client = new WorkflowClient({ connection: env.connection });
    if (!(await terminateOpen(client, () => openWorkflows(env)))) return false;
    return liftLostLocks(env);
  },
  stop: async (env) => {
    // A call that waits to be tried again throws on a closed connection, where nobody can catch it.
    env.connection.close = () => Promise.resolve();
    await env.teardown();
  },
});

/**
 * A time-skipping server that the caller has to itself until it gives it back. Its clock is where the last
 * user left it.
 */
export async function takeTimeSkipping(): Promise<TestWorkflowEnvironment> {
  return servers.take();
}

/** Ends every workflow on the server, and lets the next have it where its time moves as it should. */
export async function giveTimeSkippingBack(env: TestWorkflowEnvironment): Promise<void> {
  await servers.giveBack(env);
}

/** Of the server's clock; nobody waits for it. */
const PROBE = '1 hour';
/** So many looks at its clock tell that a server on which nothing is left does not skip. */
const CLOCK_LOOKS = 8;
const BETWEEN_CLOCK_LOOKS_MS = 25;
const MOST_LOST = 10;

/** Lifts the locks that were lost, on a server on which nothing is left; false if there are too many, or that is not certain. */
async function liftLostLocks(env: TestWorkflowEnvironment): Promise<boolean> {
  const givenUp = new AbortController();
  const probe = env.connection
    .withAbortSignal(givenUp.signal, () => env.sleep(PROBE))
    .catch(() => undefined)
    .then(() => true);
  for (let lost = 0; lost < MOST_LOST; lost += 1) {
    if (await endsSoon(env, probe)) return true;
    if (!(await lifts(env))) break;
  }
  givenUp.abort();
  await probe;
  return false;
}

/** Whether a sleep ends while the server answers some looks at its clock. */
async function endsSoon(env: TestWorkflowEnvironment, slept: Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < CLOCK_LOOKS; looks += 1) {
    if (await Promise.race([slept, pause(BETWEEN_CLOCK_LOOKS_MS, false)])) return true;
    await env.currentTimeMs();
  }
  return false;
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
const BETWEEN_LOOKS = 100;
const CALM_LOOKS = 6;
/** So many looks at time that stands are patient enough for tasks that are under way. */
const LOOKS_AT_STANDING_TIME = 10;
/** Milliseconds of the server's clock that no real time explains. */
const JUMP = 500;

/**
 * Lets time pass, also where the server has forgotten that it may skip: an Update or a Query that meets a
 * workflow task, and a child that ends after its parent, leave behind the lock of a task that is long over.
 * Where nothing has been under way for some looks and time still stands, that lock is lifted.
 */
export async function sleepDespiteLostLocks(
  env: TestWorkflowEnvironment,
  duration: Duration,
): Promise<void> {
  const slept = env.sleep(duration);
  const hasJumped = jumpsOf(env);
  let calm = 0;
  await watched(slept, async () => {
    calm = (await hasJumped()) || (await isBusy(env)) ? 0 : calm + 1;
    if (calm < CALM_LOOKS) return;
    calm = 0;
    await unlock(env);
  });
}

/** Tells, each time it is asked, whether the server's clock moved by more than real time since it was last asked. */
function jumpsOf(env: TestWorkflowEnvironment): () => Promise<boolean> {
  let last: number | undefined;
  return async () => {
    const lead = (await env.currentTimeMs()) - performance.now();
    const hasJumped = last === undefined || lead - last > JUMP;
    last = lead;
    return hasJumped;
  };
}

/**
 * Lets time pass while tasks wait for a worker that is away: each keeps the server from skipping, so its lock
 * is lifted meanwhile. Whatever other lock keeps time from its first jump is a lost one, or that of one more task, which
 * came in as the worker went; so all are put back in the end.
 */
export async function sleepPastWaitingTasks(
  env: TestWorkflowEnvironment,
  duration: Duration,
  waitingTasks: number,
): Promise<void> {
  const began = { here: performance.now(), there: await env.currentTimeMs() };
  const slept = env.sleep(duration);
  let lifted = 0;
  const lift = async (): Promise<void> => {
    if (await unlock(env)) lifted += 1;
  };
  for (let task = 0; task < waitingTasks; task += 1) await lift();
  let still = 0;
  await watched(slept, async () => {
    const passed = (await env.currentTimeMs()) - began.there;
    still = passed - (performance.now() - began.here) < JUMP ? still + 1 : -Infinity;
    if (still < LOOKS_AT_STANDING_TIME) return;
    still = 0;
    await lift();
  });
  for (; lifted > 0; lifted -= 1) await testServiceOf(env).lockTimeSkipping({});
}

async function watched(slept: Promise<void>, look: () => Promise<void>): Promise<void> {
  const ended = slept.then(() => true);
  while (!(await Promise.race([ended, pause(BETWEEN_LOOKS, false)]))) await look();
}

function testServiceOf({ connection }: TestWorkflowEnvironment): TestService {
  if (!connection.testService) throw new Error('the server cannot skip time');
  return connection.testService;
}

/** Milliseconds; a client sends a call that failed again after 136 at the earliest. */
const BEFORE_SENT_AGAIN = 130;

/**
 * Lifts a lock; false if there may have been none. A server that is only slow refuses to lift what it does not have. Sent again,
 * the call would lift the lock of a task that is under way.
 */
async function lifts(env: TestWorkflowEnvironment): Promise<boolean> {
  const call = () => testServiceOf(env).unlockTimeSkipping({});
  const lifting = env.connection.withDeadline(Date.now() + BEFORE_SENT_AGAIN, call);
  return lifting.then(
    () => true,
    () => false,
  );
}

async function unlock(env: TestWorkflowEnvironment): Promise<boolean> {
  unlocked.add(env);
  return lifts(env);
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
