import {
  Connection,
  WorkflowClient,
  WorkflowNotFoundError,
  type ConnectionOptions,
  type WorkflowClientInterceptor,
  type WorkflowHandle,
} from '@temporalio/client';
import { InternalConnectionOptionsSymbol } from '@temporalio/client/lib/connection.js';
import type { Duration } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  endServer,
  launchServer,
  type LaunchedServer,
} from '../../../temporal-config/dev-server.js';
import { freePort } from '../../../temporal-config/ports.js';
import { ensureSearchAttributes } from '../../../temporal-config/search-attributes.js';
import { resolveTestServer } from '../../support/skipping-server.js';
import { lookUntil } from '../../support/looks.js';
import type { Place } from './places.js';
import { placeOn } from './server-places.js';

/**
 * A server that skips time, for those who write down what a server does in days. It is not like others: it loses what is asked of a
 * workflow whose task is under way, and then no longer skips. So each Update and Query waits for rest, which hides races.
 */
export async function skippingPlace(): Promise<Place> {
  const env = await startTimeSkipping();
  // A call that waits to be tried again throws on a closed connection, where nobody can catch it.
  env.connection.close = () => Promise.resolve();
  // One that sends no call again: who lifts a lock twice lifts that of a task which is under way.
  const internal = { [InternalConnectionOptionsSymbol]: { supportsTestService: true } };
  const options: ConnectionOptions = { address: env.address, interceptors: [], ...internal };
  const locks = await Connection.connect(options);
  const time = new SkippedTime(env, locks);
  const place = await placeOn(env, {
    newClient: ({ interceptors = [], ...options } = {}) => {
      const others = Array.isArray(interceptors) ? interceptors : [];
      return new NewestRunClient({ ...options, interceptors: [...others, restFirst(time)] });
    },
    end: async () => {
      await locks.close();
      await env.teardown();
    },
  });
  return {
    ...place,
    sleep: (duration) => time.sleep(duration),
    async startWorker(work) {
      const { stop } = await place.startWorker(work);
      time.workers += 1;
      return {
        stop: async () => {
          await stop();
          time.workers -= 1;
        },
      };
    },
  };
}

/** The server sometimes keeps the event by which a run continues as new without its type, and never tells who waits for its end. */
class NewestRunClient extends WorkflowClient {
  override result: WorkflowClient['result'] = (workflowId, _runId, options) =>
    untilAnswered(() => super.result(workflowId, undefined, options));
}

/** Milliseconds. */
const LOST_AFTER = 5_000;
const LOST = Symbol('without an answer');

/** Asks again where the server has lost what it was asked. One that only took longer counts, too. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  const asked: Promise<T>[] = [];
  for (;;) {
    asked.push(ask());
    const answer = await Promise.race([...asked, pause(LOST_AFTER, LOST, { ref: false })]);
    if (answer !== LOST) return answer;
  }
}

/** Has what is asked of a workflow wait until it is at rest. An Update that is sent again has its id, by which it is carried out once. */
function restFirst(time: SkippedTime): WorkflowClientInterceptor {
  return {
    async startUpdate(input, next) {
      await time.rest(input.workflowExecution.workflowId);
      const options = { ...input.options, updateId: input.options.updateId ?? randomUUID() };
      return untilAnswered(() => next({ ...input, options }));
    },
    async query(input, next) {
      await time.rest(input.workflowExecution.workflowId);
      return untilAnswered(() => next(input));
    },
  };
}

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API. */
const STARTED = 2;
/** Milliseconds that rest is waited for: an activity may be under way for as long as a test holds it. */
const REST_WITHIN_MS = 15_000;
const BETWEEN_LOOKS_MS = 10;
/** So many looks at time that stands, while nothing is under way, tell that a lock was lost. */
const STANDING_LOOKS = 6;
const BETWEEN_CLOCK_LOOKS_MS = 100;
/** Milliseconds of the server's clock that no real time explains. */
const JUMP = 500;

/** The clock of the server, which skips while nothing is under way. */
class SkippedTime {
  /** How many are there. */
  workers = 0;
  private readonly env: TestWorkflowEnvironment;
  private readonly locks: Connection;
  private readonly client: WorkflowClient;

  constructor(env: TestWorkflowEnvironment, locks: Connection) {
    this.env = env;
    this.locks = locks;
    this.client = new WorkflowClient({ connection: env.connection });
  }

  /** Waits until a workflow has done what it can, and has heard of each child that is over. */
  async rest(workflowId: string): Promise<void> {
    const handle = this.client.getHandle(workflowId);
    const began = performance.now();
    while (this.workers > 0 && performance.now() - began < REST_WITHIN_MS) {
      if (!(await this.isBusy(handle)) && !(await this.hasUnheardChild(handle))) return;
      await pause(BETWEEN_LOOKS_MS);
    }
  }

  /**
   * Lets time pass. A child that ends after its parent leaves behind the lock of a task that is long over, and a task that waits for a
   * worker has one: it is lifted where nothing is under way and time still stands, and put back for the task that still needs it.
   */
  async sleep(duration: Duration): Promise<void> {
    const { testService } = this.locks;
    if (!testService) throw new Error('the server cannot skip time');
    const isAway = this.workers === 0;
    const slept = this.env.sleep(duration).then(() => true);
    let [lifted, standing, lead] = [0, 0, Infinity];
    while (!(await Promise.race([slept, pause(BETWEEN_CLOCK_LOOKS_MS, false)]))) {
      const before = lead;
      lead = (await this.env.currentTimeMs()) - performance.now();
      const stands = lead - before < JUMP && (isAway || !(await this.isAnyBusy()));
      standing = stands ? standing + 1 : 0;
      if (standing < STANDING_LOOKS) continue;
      standing = 0;
      const isLifted = await testService.unlockTimeSkipping({}).then(
        () => true,
        // There is none.
        () => false,
      );
      if (isLifted) lifted += 1;
    }
    if (isAway) for (; lifted > 0; lifted -= 1) await testService.lockTimeSkipping({});
  }

  private async isAnyBusy(): Promise<boolean> {
    const open = await this.env.connection.workflowService.listOpenWorkflowExecutions({
      namespace: this.env.namespace ?? 'default',
      maximumPageSize: 1_000,
    });
    for (const { execution } of open.executions)
      if (await this.isBusy(this.client.getHandle(execution?.workflowId ?? ''))) return true;
    return false;
  }

  /** Whether a task waits or runs; a try of an activity that is to come does not count. */
  private async isBusy(handle: WorkflowHandle): Promise<boolean> {
    const { raw } = await handle.describe();
    if (raw.pendingActivities?.some(({ state }) => Number(state) === STARTED)) return true;
    const last = (await handle.fetchHistory()).events?.at(-1);
    return Boolean(
      last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes,
    );
  }

  /** Whether a child is over, or not there yet, and the event that says so is still on its way. */
  private async hasUnheardChild(handle: WorkflowHandle): Promise<boolean> {
    const { status, raw } = await handle.describe();
    if (status.name !== 'RUNNING') return false;
    const children = (raw.pendingChildren ?? []).map(({ workflowId }) =>
      this.isRunning(this.client.getHandle(workflowId ?? '')),
    );
    return (await Promise.all(children)).includes(false);
  }

  private async isRunning(handle: WorkflowHandle): Promise<boolean> {
    try {
      return (await handle.describe()).status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/** A port that is free may be taken by another job of the tests before the server has it. */
const PORTS_TRIED = 3;

/** The SDK's way to an environment, which it keeps to itself: the public one starts the server, and gives it 5 s for that. */
interface Creating {
  create(options: {
    readonly server: { readonly type: 'existing' };
    readonly address: string;
    readonly supportsTimeSkipping: true;
  }): Promise<TestWorkflowEnvironment>;
}

/** A server with our search attributes registered. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const { executable } = await resolveTestServer({ log: () => undefined });
  const { server, address } = await launchTestServer(executable.path);
  const sdk = TestWorkflowEnvironment as unknown as Creating;
  const env = await sdk.create({
    server: { type: 'existing' },
    address,
    supportsTimeSkipping: true,
  });
  const disconnect = env.teardown.bind(env);
  env.teardown = async () => {
    await disconnect();
    await endServer(server);
  };
  await ensureSearchAttributes(env.connection, 'default');
  return env;
}

/** Starts the server, however long that takes on a machine that others keep busy. */
async function launchTestServer(program: string, tries = PORTS_TRIED): Promise<TestServerAt> {
  const port = await freePort();
  const server = launchServer(program, [String(port)], false);
  let end: string | undefined;
  void server.ended.then((how) => (end = how));
  await lookUntil(
    async () => end !== undefined || (await isListening(port)),
    () => `the time-skipping server does not listen: ${server.lastLines()}`,
  );
  if (end === undefined) return { server, address: `127.0.0.1:${port}` };
  if (tries > 1) return launchTestServer(program, tries - 1);
  throw new Error(`the time-skipping server did not start: ${end}\n${server.lastLines()}`);
}

interface TestServerAt {
  readonly server: LaunchedServer;
  readonly address: string;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
