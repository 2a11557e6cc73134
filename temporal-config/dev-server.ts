import { SEARCH_ATTRIBUTES } from '../contracts/constants/names.js';
import { Connection } from '@temporalio/client';
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { keepLastLines } from './commands.js';
import { TemporalConfigError, reasonOf } from './errors.js';
import { isPortFree } from './ports.js';
import { ensureSearchAttributes } from './search-attributes.js';

/**
 * The development server's defaults are up to six times slower, by polling, partitions and look-ups of search
 * attributes, and its version check would call an outside host. The limit of ten Updates at once at a workflow stays:
 * their results come in one message of at most 4 MiB.
 */
const DYNAMIC_CONFIG: Readonly<Record<string, number | boolean>> = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  'system.forceSearchAttributesCacheRefreshOnRead': false,
  'frontend.enableServerVersionCheck': false,
};

/** `synchronous=full`: acknowledged writes survive a power failure as well as a kill. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=full'];

interface DevServerSettings {
  port: number;
  /** Port of the web UI; without it there is no UI. */
  uiPort?: number;
  /** Port that serves the server's metrics to Prometheus, at `/metrics`; without it none are served. */
  metricsPort?: number;
  /** SQLite file; without it everything is lost when the server ends. */
  dbFile?: string;
  /** Created at the start, besides `default`. */
  namespace?: string;
  /** Address that the frontend and the UI bind. */
  ip?: string;
  /** Name → Temporal's type name. Default: those of Holdpoint. */
  searchAttributes?: Readonly<Record<string, string>>;
  /** Added to Holdpoint's dynamic config values, or in place of those with the same key. */
  dynamicConfig?: Readonly<Record<string, string | number | boolean>>;
}

export function devServerArgs(settings: DevServerSettings): string[] {
  const { port, uiPort, metricsPort, dbFile, namespace = 'default' } = settings;
  const { ip = '127.0.0.1', searchAttributes = SEARCH_ATTRIBUTES, dynamicConfig = {} } = settings;
  const args = ['server', 'start-dev', '--ip', ip, '--port', String(port)];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (metricsPort !== undefined) args.push('--metrics-port', String(metricsPort));
  args.push('--namespace', namespace, '--log-level', 'error', '--log-format', 'text');
  if (dbFile !== undefined) {
    args.push('--db-filename', dbFile, ...repeated('--sqlite-pragma', SQLITE_PRAGMAS));
  }
  const dynamic = Object.entries({ ...DYNAMIC_CONFIG, ...dynamicConfig });
  args.push(
    ...repeated(
      '--dynamic-config-value',
      dynamic.map(([key, value]) => `${key}=${JSON.stringify(value)}`),
    ),
  );
  const attributes = Object.entries(searchAttributes).map(([name, type]) => `${name}=${type}`);
  args.push(...repeated('--search-attribute', attributes));
  return args;
}

function repeated(flag: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}

export interface StartDevServer extends DevServerSettings {
  cliPath: string;
  /** Milliseconds until it must be ready. Default: 30 s. */
  readyMs?: number;
  /** Milliseconds from SIGTERM to SIGKILL in `stop`. Default: 10 s. */
  stopMs?: number;
  /** Whether it gets its own process group, so that Ctrl-C in a terminal reaches only the caller. */
  detached?: boolean;
}

export interface DevServer {
  /** `host:port` of the gRPC frontend. */
  address: string;
  namespace: string;
  uiUrl: string | undefined;
  pid: number;
  /** Resolves when the process has ended, with one line that says how. */
  ended: Promise<string>;
  /** Ends the process; resolves once it is gone. May be repeated. */
  stop: () => Promise<void>;
}

/** The server needs further ports, which another process may bind first. */
const START_TRIES = 3;

/**
 * Starts a development server; resolves when its namespace and search attributes can be used.
 *
 * @throws TemporalConfigError `port_in_use` before anything is started; `dev_server_failed`, with the
 * server's last lines, if it ends before it is ready or is not ready in time (it is stopped then)
 */
export async function startDevServer(options: StartDevServer): Promise<DevServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (tries === START_TRIES || !isPortClash(error)) throw error;
    }
  }
}

function isPortClash(error: unknown): boolean {
  return (
    error instanceof TemporalConfigError &&
    error.code === 'dev_server_failed' &&
    error.message.includes('address already in use')
  );
}

async function startOnce(options: StartDevServer): Promise<DevServer> {
  const { port, uiPort, ip = '127.0.0.1', namespace = 'default' } = options;
  for (const wanted of uiPort === undefined ? [port] : [port, uiPort]) {
    if (!(await isPortFree(wanted, ip))) {
      throw new TemporalConfigError('port_in_use', `Port ${wanted} on ${ip} is already in use.`);
    }
  }
  const server = launchServer(options.cliPath, devServerArgs(options), options.detached ?? false);
  const address = `${ip}:${port}`;
  const stop = (): Promise<void> => endServer(server, options.stopMs ?? STOP_MS);
  const done = new AbortController();
  try {
    const { searchAttributes = SEARCH_ATTRIBUTES, readyMs = 30_000 } = options;
    const ready = untilUsable({ address, namespace }, searchAttributes, readyMs, done.signal);
    await Promise.race([ready, server.ended.then((how) => Promise.reject(new Error(how)))]);
  } catch (error) {
    done.abort();
    await stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new TemporalConfigError(
      'dev_server_failed',
      `The Temporal dev server at ${address} did not start: ${reason}\n${server.lastLines()}`.trim(),
      { cause: error },
    );
  }
  const uiUrl = uiPort === undefined ? undefined : `http://${ip}:${uiPort}`;
  return { address, namespace, uiUrl, pid: server.pid, ended: server.ended, stop };
}

/** The server gives search attributes to a new namespace; one from an existing file may lack some. */
async function untilUsable(
  server: Pick<WantedServer, 'address' | 'namespace'>,
  attributes: Readonly<Record<string, string>>,
  readyMs: number,
  signal: AbortSignal,
): Promise<void> {
  await untilServerReady({ ...server, searchAttributes: [] }, readyMs, signal);
  const connection = Connection.lazy({ address: server.address });
  try {
    await ensureSearchAttributes(connection, server.namespace, attributes);
  } finally {
    await connection.close();
  }
  const searchAttributes = Object.keys(attributes);
  await untilServerReady({ ...server, searchAttributes }, readyMs, signal);
}

const STOP_MS = 10_000;

/** A started server, which may not serve yet. */
export interface LaunchedServer {
  child: ChildProcess;
  pid: number;
  /** Resolves when the process has ended, with one line that says how. */
  ended: Promise<string>;
  /** Returns the end of its output, for an error message. */
  lastLines: () => string;
}

/** Starts a server that gets SIGTERM when this process exits. */
export function launchServer(
  program: string,
  args: readonly string[],
  detached: boolean,
): LaunchedServer {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached });
  const lastLines = keepLastLines(child);
  const killWithUs = (): void => void child.kill('SIGTERM');
  process.once('exit', killWithUs);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be run: ${error.message}`));
    child.once('close', (code, signal) => {
      resolve(
        signal === null ? `it ended with exit code ${String(code)}` : `it was ended by ${signal}`,
      );
    });
  }).finally(() => process.off('exit', killWithUs));
  return { child, pid: child.pid ?? -1, ended, lastLines };
}

/** Ends it with SIGTERM, or with SIGKILL after `limitMs` milliseconds; resolves once it is gone. */
export async function endServer(
  { child, ended }: LaunchedServer,
  limitMs = STOP_MS,
): Promise<void> {
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await ended;
  clearTimeout(limit);
}

const POLL_MS = 50;
const CALL_MS = 2_000;

interface WantedServer {
  /** `host:port` of a gRPC frontend without TLS. */
  address: string;
  namespace: string;
  searchAttributes: readonly string[];
}

/**
 * Resolves when the server answers, knows the namespace and its search attributes, and can list workflows there: then
 * a workflow can be started.
 *
 * @throws Error after `limitMs` milliseconds, with the server's last reply; the reason of `signal` when that is
 * aborted
 */
export async function untilServerReady(
  wanted: WantedServer,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const connection = Connection.lazy({
    address: wanted.address,
    // The port is usually closed at the first attempt; gRPC would then wait a second.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': POLL_MS,
      'grpc.max_reconnect_backoff_ms': POLL_MS,
    },
  });
  const deadline = Date.now() + limitMs;
  try {
    for (;;) {
      const obstacle = await obstacleOf(connection, wanted);
      if (obstacle === undefined) return;
      signal.throwIfAborted();
      if (Date.now() > deadline) {
        throw new Error(`it was not ready after ${limitMs / 1000} s: ${obstacle}`);
      }
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    await connection.close();
  }
}

async function obstacleOf(
  connection: Connection,
  wanted: WantedServer,
): Promise<string | undefined> {
  const { namespace, searchAttributes } = wanted;
  try {
    return await connection.withDeadline(Date.now() + CALL_MS, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      const known = await connection.operatorService.listSearchAttributes({ namespace });
      const missing = searchAttributes.find((name) => !(name in known.customAttributes));
      if (missing !== undefined) return `search attribute ${missing} is missing`;
      // A server that does not know an attribute yet refuses this list, as it would refuse a workflow.
      const query = searchAttributes.map((name) => `${name} IS NULL`).join(' AND ');
      await connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1, query });
      return undefined;
    });
  } catch (error) {
    return reasonOf(error);
  }
}
