import path from 'node:path';
import { resolveTemporalCli } from '../temporal-config/cli.js';
import { startDevServer } from '../temporal-config/dev-server.js';
import { freePort } from '../temporal-config/ports.js';

/** A Temporal server that tells what it does. */
export interface BenchServer {
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  /** Where it serves its counters to Prometheus. */
  readonly metricsUrl: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** What a stack of the bench stands on. */
export interface Grounds {
  readonly server: BenchServer;
  /** Undefined where the stack starts a store of its own, as `npm start` does. */
  readonly store: BenchStore | undefined;
  readonly stop: () => Promise<void>;
}

/** A database that was there before the stack. */
export interface BenchStore {
  readonly url: string;
  /** Of the database server, whose CPU is told as that of the store, whoever asked it. */
  readonly pid: number;
}

/** Starts grounds, with what they keep in `folder`. */
export type StartGrounds = (folder: string, env: NodeJS.ProcessEnv) => Promise<Grounds>;

/** The development server and the embedded store, as `npm start` has them. */
export const embeddedGrounds: StartGrounds = async (folder, env) => {
  const server = await startBenchServer(folder, env);
  return { server, store: undefined, stop: server.stop };
};

/** Starts the development server as `npm start` does, with its database in `folder` and its metrics on. */
async function startBenchServer(folder: string, env: NodeJS.ProcessEnv): Promise<BenchServer> {
  const { path: cliPath } = await resolveTemporalCli({ env, log: () => undefined });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const dbFile = path.join(folder, 'temporal.db');
  const server = await startDevServer({ cliPath, port, metricsPort, dbFile, detached: true });
  return {
    address: server.address,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: server.pid,
    stop: server.stop,
  };
}
