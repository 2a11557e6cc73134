import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import {
  startDevServer,
  type DevServer,
  type StartDevServer,
} from '../../temporal-config/dev-server.js';
import { TemporalConfigError } from '../../temporal-config/errors.js';
import { freePort } from '../../temporal-config/ports.js';
import { PATIENCE } from './patience.js';
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

/** A test that looks again and again asks for more lists a second than a server allows. */
const MANY_LISTS = { 'frontend.namespaceRPS.visibility': 2_000 };

/** Starts a dev server that the caller stops. */
export async function startOnFreePort(options: Partial<StartDevServer> = {}): Promise<DevServer> {
  const { path: cliPath } = await resolveTemporalCli({ log: () => undefined });
  for (let tries = 1; ; tries += 1) {
    try {
      const port = await freePort();
      const settings = { readyMs: READY_MS, dynamicConfig: MANY_LISTS, ...options };
      return await startDevServer({ cliPath, port, ...settings });
    } catch (error) {
      const isTaken = error instanceof TemporalConfigError && error.code === 'port_in_use';
      if (tries === PORTS_TRIED || !isTaken) throw error;
    }
  }
}

/** A Temporal server and connections to it, which all its users share. */
export interface StartedTemporal {
  readonly address: string;
  readonly connection: Connection;
  /** For workers; made on first use. */
  readonly native: () => Promise<NativeConnection>;
  /** Ends the server, or lets go of it. */
  readonly stop: () => Promise<void>;
}

/**
 * Connects to a server. On Node before 24 each connection makes every promise of the process dearer, even when it is
 * closed: it leaves its `AsyncLocalStorage`, which Node asks at each promise.
 */
export async function connectedTo(
  server: Pick<DevServer, 'address' | 'stop'>,
): Promise<StartedTemporal> {
  const { address } = server;
  const connection = await Connection.connect({ address, interceptors: [] });
  let native: Promise<NativeConnection> | undefined;
  const stop = async (): Promise<void> => {
    await (await native)?.close();
    await connection.close();
    await server.stop();
  };
  return {
    address,
    connection,
    native: () => (native ??= patientConnection(address)),
    stop,
  };
}

/** A connection for workers, whose activities may make longer calls to Temporal than in production. */
async function patientConnection(address: string): Promise<NativeConnection> {
  const connection = await NativeConnection.connect({ address });
  const withDeadline = connection.withDeadline.bind(connection);
  connection.withDeadline = (deadline, call) => {
    const now = Date.now();
    return withDeadline(now + PATIENCE * (Number(deadline) - now), call);
  };
  return connection;
}

const devServers = new ServerPool<StartedTemporal>({
  start: async () => connectedTo(await startOnFreePort()),
  clean: ({ connection }) => {
    const { workflow } = new Client({ connection });
    return terminateOpen(workflow, async () => {
      const open: string[] = [];
      for await (const { workflowId } of workflow.list({ query: 'ExecutionStatus="Running"' }))
        open.push(workflowId);
      return open;
    });
  },
  stop: (server) => server.stop(),
});

/** A Temporal dev server, in memory, that the caller has to itself until it stops it. */
export async function startTemporal(): Promise<StartedTemporal> {
  const server = await devServers.take();
  return { ...server, stop: () => devServers.giveBack(server) };
}
