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

/** Starts the development server as `npm start` does, with its database in `folder` and its metrics on. */
export async function startBenchServer(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<BenchServer> {
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
