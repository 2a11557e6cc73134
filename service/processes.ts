import { setTimeout as pause } from 'node:timers/promises';
import { commandElsewhere } from '../contracts/constants/command-name.js';
import type { ConfiguredKeys } from '../runtime/api-keys.js';
import { levelOf, named, readable } from '../runtime/readable-log.js';
import { pageAddressOf, pageUrl } from '../runtime/metrics/page-server.js';
import type { DataFolder, Secrets } from './data-folder.js';
import { childEnv, launchNode, siblingScript, type LaunchedProcess } from './node-process.js';
import type { Ports } from './ports.js';
import type { ServiceSettings } from './settings.js';
import type { TemporalProcessSettings } from './temporal-process.js';

export type ProcessName = 'temporal' | 'store' | 'worker' | 'api';

export interface ProcessSetup {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: ServiceSettings;
  readonly folder: DataFolder;
  /** The workflow code that every worker starts from. */
  readonly bundleFile: string;
  readonly ports: Ports;
  readonly databaseUrl: string;
  /** `TEMPORAL_…` settings that lead to the server in use. */
  readonly temporalEnv: NodeJS.ProcessEnv;
  /** The URL of the namespace in the Temporal UI, if it is known. */
  readonly temporalUi: string | undefined;
  readonly keys: ConfiguredKeys;
  readonly secrets: Secrets;
  /** The URL at which people reach the API. */
  readonly publicUrl: string;
  readonly relay: Relay;
}

const HOST = '127.0.0.1';

/** Launches the Temporal dev server, with its database in the data folder. */
export function launchTemporal(setup: ProcessSetup, cliPath: string): LaunchedProcess {
  const { ports, folder } = setup;
  const settings: TemporalProcessSettings = {
    cliPath,
    port: ports.temporal,
    uiPort: ports.temporalUi,
    folder: folder.temporalFolder,
  };
  return launch(setup, 'temporal', './temporal-process', [JSON.stringify(settings)]);
}

/** Launches the embedded store, with its files in the data folder. */
export function launchStore(setup: ProcessSetup): LaunchedProcess {
  const args = [setup.folder.storeFolder, String(setup.ports.store)];
  return launch(setup, 'store', '../store/embedded-main', args);
}

export function launchWorker(setup: ProcessSetup): LaunchedProcess {
  return launch(setup, 'worker', '../workers/main', [], {
    ...setup.settings.channelEnv,
    ...sharedSettings(setup),
    HOLDPOINT_CHECKPOINT_KEY: setup.secrets.HOLDPOINT_CHECKPOINT_KEY,
    HOLDPOINT_WORKFLOW_BUNDLE: setup.bundleFile,
    HOLDPOINT_COMMAND: commandElsewhere(import.meta.url, setup.env),
    HOLDPOINT_STACK_TRACES: setup.env['HOLDPOINT_STACK_TRACES'],
    HOLDPOINT_WORKER_VERSIONING: setup.env['HOLDPOINT_WORKER_VERSIONING'],
    HOLDPOINT_WORKER_METRICS: metricsSetting(setup, 'HOLDPOINT_WORKER_METRICS'),
  });
}

/** Launches the API, on loopback. API keys and the secrets of ids reach no other process. */
export function launchApi(setup: ProcessSetup): LaunchedProcess {
  const process = launch(setup, 'api', '../api/main', [], {
    ...setup.settings.apiEnv,
    ...sharedSettings(setup),
    HOST,
    PORT: String(setup.ports.api),
    // No proxy watches `/ready` here, so Ctrl-C need not wait.
    HOLDPOINT_STOP_NOTICE_SECONDS: setup.env['HOLDPOINT_STOP_NOTICE_SECONDS'] ?? '0',
    ...keySettings(setup.keys),
    HOLDPOINT_API_METRICS: metricsSetting(setup, 'HOLDPOINT_API_METRICS'),
    HOLDPOINT_ID_SECRETS: setup.secrets.HOLDPOINT_ID_SECRETS,
    HOLDPOINT_STATE_KEYS: setup.env['HOLDPOINT_STATE_KEYS'],
    HOLDPOINT_TEMPORAL_UI: setup.temporalUi,
    // There is no proxy before a loopback, so any caller could claim any address.
    HOLDPOINT_TRUSTED_PROXIES: setup.env['HOLDPOINT_TRUSTED_PROXIES'] || 'none',
  });
  return { ...process, ready: untilHealthy(`http://${HOST}:${setup.ports.api}/health`, process) };
}

/** The variables with the addresses of the metrics, and their default ports. */
const METRICS = {
  HOLDPOINT_API_METRICS: 'apiMetrics',
  HOLDPOINT_WORKER_METRICS: 'workerMetrics',
} as const;
type MetricsVariable = keyof typeof METRICS;

type Measured = Pick<ProcessSetup, 'env' | 'ports'>;

function metricsSetting({ env, ports }: Measured, name: MetricsVariable): string | undefined {
  return env[name] || ports[METRICS[name]]?.toString();
}

/** Returns the address of the metrics of a process; undefined if it has none, or takes any free port. */
export function metricsUrl(measured: Measured, name: MetricsVariable): string | undefined {
  const address = pageAddressOf({ [name]: metricsSetting(measured, name) }, name);
  if (address === undefined || address.port === 0) return undefined;
  return `${pageUrl(address)}/metrics`;
}

/** Passes the file by name, so that the API reads it again when it changes. */
function keySettings({ keys, file }: ConfiguredKeys) {
  return file === undefined
    ? { HOLDPOINT_API_KEYS: JSON.stringify(keys) }
    : { HOLDPOINT_API_KEYS_FILE: file };
}

/** Resolves when `url` answers; never, if the process ends first. */
function untilHealthy(url: string, process: LaunchedProcess): Promise<void> {
  const gone = new AbortController();
  void process.ended.then(() => gone.abort());
  const never = new Promise<never>(() => undefined);
  return untilAnswers(url, Infinity, gone.signal).catch(() => never);
}

/** Returns the standard's variables for traces. They may hold keys, so only API and worker get them. */
export function traceSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_')));
}

function sharedSettings(setup: ProcessSetup) {
  return {
    ...setup.temporalEnv,
    ...traceSettings(setup.env),
    DATABASE_URL: setup.databaseUrl,
    HOLDPOINT_CONFIG: setup.settings.configFile,
    HOLDPOINT_DATA_CONVERTER: setup.settings.dataConverter,
    HOLDPOINT_LINK_KEYS: setup.secrets.HOLDPOINT_LINK_KEYS,
    HOLDPOINT_PUSH_KEYS: setup.secrets.HOLDPOINT_PUSH_KEYS,
    HOLDPOINT_SUBSCRIPTION_SECRETS: setup.secrets.HOLDPOINT_SUBSCRIPTION_SECRETS,
    HOLDPOINT_PUBLIC_URL: setup.publicUrl,
  };
}

function launch(
  { env, relay }: ProcessSetup,
  name: ProcessName,
  script: string,
  args: readonly string[],
  given: Readonly<Record<string, string | undefined>> = {},
): LaunchedProcess {
  return launchNode({
    script: siblingScript(script),
    args,
    env: childEnv(env, given),
    onLine: (line, stream) => relay(name, line, stream),
  });
}

const POLL_MS = 50;
const CALL_MS = 5_000;

/**
 * Resolves when a GET of `url` is answered with 200.
 *
 * @throws Error with the last answer after `limitMs` milliseconds; the signal's reason if it is aborted first
 */
export async function untilAnswers(
  url: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const obstacle = await obstacleAt(url, signal);
    if (obstacle === undefined) return;
    signal.throwIfAborted();
    if (performance.now() > deadline) {
      throw new Error(`${url} was not ready after ${limitMs / 1000} s: ${obstacle}`);
    }
    await pause(POLL_MS, undefined, { signal });
  }
}

async function obstacleAt(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const reply = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    const text = await reply.text();
    return reply.status === 200 ? undefined : `${reply.status} ${text}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** pino's level of warnings. Lower levels are shown only by `npm run api`. */
const WARN_LEVEL = 40;

export type Relay = (name: string, line: string, stream: 'stdout' | 'stderr') => void;

/**
 * Passes on the lines for a person at the terminal: notifications of the worker as they are, the stderr of every
 * process with its name, and warnings and errors of the JSON logs: readable on a terminal, else as JSON.
 */
export function createRelay(log: (line: string) => void, isTerminal: boolean): Relay {
  return (name, line, stream) => {
    if (name === 'worker' && stream === 'stdout') log(line);
    else if (isWorthReading(line, stream)) {
      log(isTerminal || levelOf(line) === undefined ? readable(line, name) : named(line, name));
    }
  };
}

function isWorthReading(line: string, stream: 'stdout' | 'stderr'): boolean {
  if (line.trim() === '') return false;
  const level = levelOf(line);
  return level === undefined ? stream === 'stderr' : level >= WARN_LEVEL;
}
