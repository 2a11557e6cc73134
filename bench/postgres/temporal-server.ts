import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { runCommand } from '../../temporal-config/commands.js';
import { endServer, launchServer, untilServerReady } from '../../temporal-config/dev-server.js';
import { reasonOf } from '../../temporal-config/errors.js';
import { freePort } from '../../temporal-config/ports.js';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import type { BenchServer } from '../bench-server.js';
import {
  SERVICES,
  dynamicConfig,
  schemaCalls,
  serverConfig,
  type ServerSettings,
  type ServiceName,
  type ServicePorts,
} from './server-config.js';
import type { ServerPrograms } from './server-programs.js';

const NAMESPACE = 'default';
const RETENTION = '7 days';
const ALREADY_EXISTS = 6;
/** The name of the configuration file, without `.yaml`. */
const CONFIG = 'bench';
const SCHEMA_LIMIT_MS = 120_000;
const READY_MS = 60_000;
const POLL_MS = 200;
const CALL_MS = 5_000;

/**
 * Starts a Temporal server, as in production, over databases of its own on the PostgreSQL server at `postgresUrl`.
 * Its configuration is written to `folder`. Resolves when workflows can be started in its namespace.
 *
 * @throws Error with the last lines of the program that failed; the server is stopped then
 */
export async function startTemporalServer(
  { server: program, sqlTool }: ServerPrograms,
  postgresUrl: string,
  folder: string,
): Promise<BenchServer> {
  const settings = await settingsFor(postgresUrl, folder);
  for (const args of schemaCalls(settings)) {
    await runCommand({
      program: sqlTool,
      args,
      cwd: folder,
      env: process.env,
      label: "making the tables of Temporal's server",
      log: () => undefined,
      limitMs: SCHEMA_LIMIT_MS,
    });
  }
  // JSON is YAML.
  await writeFile(settings.dynamicConfigFile, JSON.stringify(dynamicConfig()));
  await writeFile(path.join(folder, `${CONFIG}.yaml`), JSON.stringify(serverConfig(settings)));
  const args = ['--root', folder, '--config', '.', '--env', CONFIG, '--allow-no-auth', 'start'];
  const server = launchServer(program, args, true);
  const address = `127.0.0.1:${settings.ports.frontend.grpc}`;
  const done = new AbortController();
  try {
    const ended = server.ended.then((how) => Promise.reject(new Error(how)));
    await Promise.race([untilUsable(address, done.signal), ended]);
  } catch (error) {
    done.abort();
    await endServer(server);
    const reason = `Temporal's server did not start: ${reasonOf(error)}\n${server.lastLines()}`;
    throw new Error(reason.trim(), { cause: error });
  }
  return {
    address,
    metricsUrl: `http://127.0.0.1:${settings.metricsPort}/metrics`,
    pid: server.pid,
    stop: () => endServer(server),
  };
}

async function settingsFor(postgresUrl: string, folder: string): Promise<ServerSettings> {
  const { host, username } = new URL(postgresUrl);
  const ports: Partial<Record<ServiceName, ServicePorts>> = {};
  for (const name of SERVICES) {
    ports[name] = { grpc: await freePort(), membership: await freePort() };
  }
  return {
    postgres: host,
    user: username,
    databases: { default: 'temporal', visibility: 'temporal_visibility' },
    ports: ports as Record<ServiceName, ServicePorts>,
    metricsPort: await freePort(),
    dynamicConfigFile: path.join(folder, 'dynamic-config.yaml'),
  };
}

async function untilUsable(address: string, signal: AbortSignal): Promise<void> {
  const connection = Connection.lazy({ address });
  try {
    await registerNamespace(connection, signal);
    await untilServerReady(
      { address, namespace: NAMESPACE, searchAttributes: [] },
      READY_MS,
      signal,
    );
    await ensureSearchAttributes(connection, NAMESPACE);
  } finally {
    await connection.close();
  }
  const searchAttributes = Object.keys(SEARCH_ATTRIBUTES);
  await untilServerReady({ address, namespace: NAMESPACE, searchAttributes }, READY_MS, signal);
}

/** Sent again until the server takes requests. */
async function registerNamespace(connection: Connection, signal: AbortSignal): Promise<void> {
  const request = {
    namespace: NAMESPACE,
    workflowExecutionRetentionPeriod: msToTs(RETENTION),
  };
  for (const deadline = Date.now() + READY_MS; ;) {
    try {
      await connection.withDeadline(Date.now() + CALL_MS, () =>
        connection.workflowService.registerNamespace(request),
      );
      return;
    } catch (error) {
      const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
      if (code === ALREADY_EXISTS) return;
      if (Date.now() > deadline) throw error;
      await pause(POLL_MS, undefined, { signal });
    }
  }
}
