import { setTimeout as pause } from 'node:timers/promises';
import type { ConfiguredKeys } from '../runtime/api-keys.js';
import type { IdSecrets } from '../contracts/config.js';
import type { DataFolder } from './data-folder.js';
import { childEnv, launchNode, siblingScript } from './node-process.js';
import type { LaunchedProcess } from './node-process.js';
import type { Ports } from './ports.js';
import type { TemporalProcessSettings } from './temporal-process.js';

export type ProcessName = 'temporal' | 'store' | 'worker' | 'api';

/** What the processes of one stack have in common. */
export interface ProcessSetup {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: DataFolder;
  /** The workflow code that every worker starts from. */
  readonly bundleFile: string;
  readonly ports: Ports;
  readonly databaseUrl: string;
  /** `TEMPORAL_…` settings that lead to the server in use. */
  readonly temporalEnv: NodeJS.ProcessEnv;
  readonly configFile: string | undefined;
  /** Where they see the namespace of Temporal; undefined if nobody knows. */
  readonly temporalUi: string | undefined;
  /** Secrets of channels and subscriptions; the worker has them all. */
  readonly channelEnv: NodeJS.ProcessEnv;
  /** Those that the API needs: of subscriptions, of answers by webhook. */
  readonly apiEnv: NodeJS.ProcessEnv;
  readonly dataConverter: string | undefined;
  readonly keys: ConfiguredKeys;
  readonly idSecrets: IdSecrets;
  /** What signs checkpoints; only the worker has it. */
  readonly checkpointKey: string;
  /** What seals the links in messages, and opens them. */
  readonly linkKeys: string;
  /** What the secrets of webhook subscriptions are made from; undefined where the configuration names it. */
  readonly subscriptionSecrets: string | undefined;
  /** Where people reach the API. */
  readonly publicUrl: string;
  readonly relay: Relay;
}

const HOST = '127.0.0.1';

/** The Temporal dev server with its database in the data folder. */
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

/** The embedded store with its files in the data folder. */
export function launchStore(setup: ProcessSetup): LaunchedProcess {
  const args = [setup.folder.storeFolder, String(setup.ports.store)];
  return launch(setup, 'store', '../store/embedded-main', args);
}

export function launchWorker(setup: ProcessSetup): LaunchedProcess {
  return launch(setup, 'worker', '../workers/main', [], {
    ...setup.channelEnv,
    ...sharedSettings(setup),
    HOLDPOINT_CHECKPOINT_KEY: setup.checkpointKey,
    HOLDPOINT_WORKFLOW_BUNDLE: setup.bundleFile,
    HOLDPOINT_STACK_TRACES: setup.env['HOLDPOINT_STACK_TRACES'],
    HOLDPOINT_WORKER_VERSIONING: setup.env['HOLDPOINT_WORKER_VERSIONING'],
    HOLDPOINT_WORKER_METRICS: setup.env['HOLDPOINT_WORKER_METRICS'],
  });
}

/** The API, on loopback; keys and the secrets of ids reach no other process. */
export function launchApi(setup: ProcessSetup): LaunchedProcess {
  const process = launch(setup, 'api', '../api/main', [], {
    ...setup.apiEnv,
    ...sharedSettings(setup),
    HOST,
    PORT: String(setup.ports.api),
    // No proxy looks at `/ready`, and nobody wants to wait after Ctrl-C.
    HOLDPOINT_STOP_NOTICE_SECONDS: setup.env['HOLDPOINT_STOP_NOTICE_SECONDS'] ?? '0',
    ...keySettings(setup.keys),
    HOLDPOINT_API_METRICS: setup.env['HOLDPOINT_API_METRICS'],
    HOLDPOINT_ID_SECRETS: setup.idSecrets.join(','),
    HOLDPOINT_STATE_KEYS: setup.env['HOLDPOINT_STATE_KEYS'],
    HOLDPOINT_TEMPORAL_UI: setup.temporalUi,
    // No proxy stands before a loopback of one person; who sends from here could name any address.
    HOLDPOINT_TRUSTED_PROXIES: setup.env['HOLDPOINT_TRUSTED_PROXIES'] || 'none',
  });
  return { ...process, ready: untilHealthy(`http://${HOST}:${setup.ports.api}/health`, process) };
}

/** A file is named and not copied, so that the API reads it again when it changes. */
function keySettings({ keys, file }: ConfiguredKeys) {
  return file === undefined
    ? { HOLDPOINT_API_KEYS: JSON.stringify(keys) }
    : { HOLDPOINT_API_KEYS_FILE: file };
}

/** Resolves when it is answered at `url`; never, if the process ends before. */
function untilHealthy(url: string, process: LaunchedProcess): Promise<void> {
  const gone = new AbortController();
  void process.ended.then(() => gone.abort());
  const never = new Promise<never>(() => undefined);
  return untilAnswers(url, Infinity, gone.signal).catch(() => never);
}

/** Where traces go, and how: the standard's variables. They may hold keys, so only API and worker get them. */
export function traceSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_')));
}

function sharedSettings(setup: ProcessSetup) {
  return {
    ...setup.temporalEnv,
    ...traceSettings(setup.env),
    DATABASE_URL: setup.databaseUrl,
    HOLDPOINT_CONFIG: setup.configFile,
    HOLDPOINT_DATA_CONVERTER: setup.dataConverter,
    HOLDPOINT_LINK_KEYS: setup.linkKeys,
    HOLDPOINT_SUBSCRIPTION_SECRETS: setup.subscriptionSecrets,
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
 * @throws Error after `limitMs` milliseconds, with what was answered last; the signal's reason where
 * it is aborted first
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

/** pino's number for warnings; what lies below is left to `npm run api`. */
const WARN_LEVEL = 40;

/** Where the lines of supervised processes go. */
export type Relay = (name: string, line: string, stream: 'stdout' | 'stderr') => void;

/**
 * Passes on what somebody at the terminal wants to read: notifications of the worker as they are, and
 * of every process what it writes to stderr, marked with its name. Of the API's log, which is JSON,
 * only warnings and errors.
 */
export function createRelay(log: (line: string) => void): Relay {
  return (name, line, stream) => {
    if (name === 'worker' && stream === 'stdout') log(line);
    else if (isWorthReading(line, stream)) log(`${name}: ${line}`);
  };
}

function isWorthReading(line: string, stream: 'stdout' | 'stderr'): boolean {
  if (line.trim() === '') return false;
  const level = levelOf(line);
  return level === undefined ? stream === 'stderr' : level >= WARN_LEVEL;
}

function levelOf(line: string): number | undefined {
  const found = /^\{"level":(\d+),/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}
