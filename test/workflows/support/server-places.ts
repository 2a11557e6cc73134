import { WorkflowClient } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { NativeConnection } from '@temporalio/worker';
import { askAgain } from '../../support/ask-again.js';
import type { WorkflowCode } from '../../support/temporal-test-server.js';
import { run, startTemporal } from '../../support/temporal.js';
import { UnlimitedWorker } from '../../support/unlimited-worker.js';
import { within } from '../../support/within.js';
import { assertAllReplay, historiesFrom, notingStarts, type RunRef } from './made-histories.js';
import type { Place } from './places.js';

/** Connects a worker to the server at an address. */
export type Connect = (address: string) => Promise<NativeConnection>;

/** A development server, whose time is the real one. */
export async function devPlace(connect?: Connect): Promise<Place> {
  const { address, stop } = await startTemporal();
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address });
  return placeOn(env, {
    end: async () => {
      await env.teardown();
      await stop();
    },
    ...(connect && { connect }),
  });
}

/** How a place differs from others on a server. */
interface Differences {
  /** Ends the server, or lets go of it. */
  readonly end: () => Promise<void>;
  readonly connect?: Connect;
  readonly newClient?: (...given: ConstructorParameters<typeof WorkflowClient>) => WorkflowClient;
}

/** A place on a server, whose runs are those that its client starts, and what comes of them. */
export async function placeOn(
  env: TestWorkflowEnvironment,
  { end, connect, newClient = (options) => new WorkflowClient(options) }: Differences,
): Promise<Place> {
  const { connection } = env;
  const codes = new Map<string, WorkflowCode>();
  const started: RunRef[] = [];
  const native = connect ? await connect(env.address) : env.nativeConnection;
  const client = newClient({ connection, interceptors: [notingStarts(started), askAgain] });
  return {
    connection,
    client,
    now: () => env.currentTimeMs(),
    sleep: async (duration) => env.sleep(duration),
    async startWorker({ code, ...work }) {
      if (code) codes.set(work.taskQueue, code);
      const worker = await UnlimitedWorker.create({
        connection: native,
        ...(code && { workflowBundle: code.bundle, maxCachedWorkflows: 100 }),
        stickyQueueScheduleToStartTimeout: '1s',
        shutdownGraceTime: '1s',
        shutdownForceTime: '60s',
        maxHeartbeatThrottleInterval: 100,
        ...work,
      });
      return run(worker);
    },
    async giveBack(notReplayed) {
      try {
        if (notReplayed === undefined) {
          const made = await within('reading the histories', historiesFrom(client, started));
          await within('replaying the histories', assertAllReplay(made, codes));
        }
      } finally {
        await within('giving the server back', end());
      }
    },
  };
}
