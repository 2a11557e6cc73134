import { Client, Connection } from '@temporalio/client';
import type { WorkflowClient } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { startDevServer } from '../../temporal-config/dev-server.js';
import type { DevServer, StartDevServer } from '../../temporal-config/dev-server.js';
import { TemporalConfigError } from '../../temporal-config/errors.js';
import { freePort } from '../../temporal-config/ports.js';
import { ServerPool } from './server-pool.js';

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

/** With more open workflows than this, a new server is there sooner than they are gone. */
const MOST_LEFT = 100;

/**
 * Ends these workflows, and those that begin meanwhile.
 *
 * @param listOpen - the ids of open workflows
 * @returns whether none is left
 */
export async function terminateOpen(
  client: WorkflowClient,
  listOpen: () => Promise<readonly string[]>,
): Promise<boolean> {
  for (let round = 0; round < 5; round += 1) {
    const open = await listOpen();
    if (open.length === 0) return true;
    if (open.length > MOST_LEFT) return false;
    // One that ended by itself meanwhile is as good.
    await Promise.allSettled(open.map((id) => client.getHandle(id).terminate('its test is over')));
  }
  return false;
}

/** A port that is free may be taken by another job of the tests before the server has it. */
const PORTS_TRIED = 3;
/** Several servers may start at the same time, on two cores that have other things to do. */
const READY_MS = 90_000;

/** Starts a dev server that the caller stops. */
export async function startOnFreePort(options: Partial<StartDevServer> = {}): Promise<DevServer> {
  const { path: cliPath } = await resolveTemporalCli({ log: () => undefined });
  for (let tries = 1; ; tries += 1) {
    try {
      const port = await freePort();
      return await startDevServer({ cliPath, port, readyMs: READY_MS, ...options });
    } catch (error) {
      const isTaken = error instanceof TemporalConfigError && error.code === 'port_in_use';
      if (tries === PORTS_TRIED || !isTaken) throw error;
    }
  }
}

const devServers = new ServerPool<DevServer>({
  start: startOnFreePort,
  clean: async ({ address }) => {
    const connection = await Connection.connect({ address });
    try {
      const { workflow } = new Client({ connection });
      return await terminateOpen(workflow, async () => {
        const open: string[] = [];
        for await (const { workflowId } of workflow.list({ query: 'ExecutionStatus="Running"' }))
          open.push(workflowId);
        return open;
      });
    } finally {
      await connection.close();
    }
  },
  stop: (server) => server.stop(),
});

export type StartedTemporal = Pick<DevServer, 'address' | 'stop'>;

/** A Temporal dev server, in memory, that the caller has to itself until it stops it. */
export async function startTemporal(): Promise<StartedTemporal> {
  const server = await devServers.take();
  return { address: server.address, stop: () => devServers.giveBack(server) };
}
