import { setInterval } from 'node:timers';
import { Connection } from '@temporalio/client';
import { existsSync } from 'node:fs';
import { StartupError } from '../runtime/program.js';
import { resolveTemporalCli } from '../temporal-config/cli.js';
import {
  connectOnce,
  connectionOptions,
  localServerEnv,
  type TemporalConnectionOptions,
} from '../temporal-config/connection.js';
import { activate } from '../temporal-config/deployment.js';
import { reasonOf } from '../temporal-config/errors.js';
import { bundleFile } from '../workers/shipped-bundle.js';
import { versionOf } from '../workers/versioning.js';
import { refreshInbox } from './build-web.js';
import { childEnv, launchNode, siblingScript } from './node-process.js';
import type { Ports } from './ports.js';
import {
  launchApi,
  launchStore,
  launchTemporal,
  launchWorker,
  type ProcessName,
  type ProcessSetup,
} from './processes.js';
import type { ServiceSettings } from './settings.js';
import type { Supervisor } from './supervisor.js';

/** A long part of a start, which is worth naming. */
export interface Step {
  /** Its name in lines: `the inbox`. */
  readonly name: string;
  /** What is done, why, and how long that usually takes; without it, the step gets no line. */
  readonly why?: string;
}

const BEAT_MS = 10_000;

/** Prints what a start waits for: each long step when it begins and ends, and every ten seconds what is still missing. */
export class Progress {
  readonly #log: (line: string) => void;
  readonly #now: () => number;
  readonly #missing = new Map<string, number>();

  /** @param now - a monotonic clock, in milliseconds */
  constructor(log: (line: string) => void, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** Names a step while `work` is under way, and returns its result. */
  async during<T>({ name, why }: Step, work: () => Promise<T>): Promise<T> {
    const began = this.#now();
    if (why !== undefined) this.#log(`${capital(name)}: ${why}`);
    this.#missing.set(name, began);
    try {
      const result = await work();
      if (why !== undefined) this.#log(`${capital(name)}: done in ${this.#seconds(began)} s`);
      return result;
    } finally {
      this.#missing.delete(name);
    }
  }

  beat(): void {
    const missing = [...this.#missing].map(
      ([name, began]) => `${name} (${this.#seconds(began)} s)`,
    );
    if (missing.length > 0) this.#log(`Still waiting for ${missing.join(', ')}`);
  }

  /** Calls `beat` every ten seconds while `work` is under way. */
  async whileStarting<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.beat(), BEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  #seconds(since: number): number {
    return Math.round((this.#now() - since) / 1_000);
  }
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** What is known about a stack before its processes start. */
export interface BringUp extends Pick<
  ProcessSetup,
  'env' | 'folder' | 'keys' | 'ports' | 'relay' | 'secrets' | 'settings'
> {
  readonly supervisor: Supervisor<ProcessName>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  readonly buildsInbox: boolean;
}

interface StackAddresses {
  readonly temporalAddress: string;
  /** The pages of the namespace in the Temporal UI: the configured ones, else those of our own server. */
  readonly temporalUiUrl: string | undefined;
  readonly databaseUrl: string;
}

const HOST = '127.0.0.1';
/** How long a configured Temporal server may take to answer at the start. */
const REACH_MS = 10_000;
/** How long Temporal may take to see a worker that is ready. */
const ACTIVATE_MS = 30_000;

/** What a start may have to build first. */
const MAKES = {
  bundle: 'bundling it, because it is not built yet; usually under half a minute',
  store: 'making it, because this data folder is new; usually under half a minute, once',
} as const;

/**
 * Starts every process as early as its dependencies allow: Temporal, the store and the bundling of the workflows in
 * parallel, then the API and the worker.
 *
 * @throws the error of the first step that fails; stopping the supervisor ends the others
 */
export async function bringUp(options: BringUp): Promise<StackAddresses> {
  const { env, settings, folder, ports, supervisor, signal, log } = options;
  const progress = new Progress(log);
  const found = stackAddresses(env, settings, ports);
  const made = await bundleFile(env, log);
  const setup: ProcessSetup = {
    ...options,
    bundleFile: made ?? folder.bundleFile,
    publicUrl: settings.publicUrl ?? `http://${HOST}:${ports.api}`,
    temporalUi: found.temporalUiUrl,
    databaseUrl: found.databaseUrl,
    temporalEnv: temporalEnv(env, settings, found.temporalAddress),
  };
  const giveUp = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const bundling = { name: 'the workflow code', why: MAKES.bundle };
  const bundled =
    made === undefined &&
    progress.during(bundling, () => buildWorkflowBundle(folder.bundleFile, env, signal));
  const foundations = Promise.all([
    startTemporal(options, setup, progress),
    startStore(options, setup, progress),
  ]);
  supervisor.add('worker', () => launchWorker(setup));
  supervisor.add('api', () => launchApi(setup));
  const startWorker = async (): Promise<void> => {
    await supervisor.start('worker');
    await activateWorker(options, setup);
  };
  const worker = Promise.all([foundations, bundled]).then(() =>
    progress.during({ name: 'the worker' }, startWorker),
  );
  const api = foundations.then(() =>
    progress.during({ name: 'the API' }, () => supervisor.start('api')),
  );
  const inbox =
    options.buildsInbox &&
    progress.during({ name: 'the inbox' }, () => refreshInbox({ env, log, signal }));
  const all = Promise.all([worker, api, inbox]);
  await progress.whileStarting(() => Promise.race([all, giveUp]));
  return found;
}

/** Temporal gives a worker no tasks before its version is current. The version stays current when either restarts. */
async function activateWorker({ settings, signal }: BringUp, setup: ProcessSetup): Promise<void> {
  if (!settings.versioning) return;
  const { connection: options, namespace } = connectionOptions(setup.temporalEnv);
  const version = await versionOf({ codePath: setup.bundleFile });
  const connection = await connectOnce(options);
  try {
    const log = (): void => undefined;
    await activate({ connection, namespace, version, limitMs: ACTIVATE_MS, log, signal });
  } finally {
    await connection.close();
  }
}

function stackAddresses(
  env: NodeJS.ProcessEnv,
  { temporal, databaseUrl }: ServiceSettings,
  ports: Ports,
): StackAddresses {
  const ownUi =
    temporal === undefined ? `http://${HOST}:${ports.temporalUi}/namespaces/default` : undefined;
  return {
    temporalAddress: temporal?.connection.address ?? `${HOST}:${ports.temporal}`,
    temporalUiUrl: env['HOLDPOINT_TEMPORAL_UI']?.replace(/\/$/, '') || ownUi,
    databaseUrl: databaseUrl ?? `postgres://postgres@${HOST}:${ports.store}/postgres`,
  };
}

/** Returns the `TEMPORAL_…` variables for the server in use: only ours, or those of this environment. */
function temporalEnv(
  env: NodeJS.ProcessEnv,
  { temporal }: ServiceSettings,
  address: string,
): NodeJS.ProcessEnv {
  const leading =
    temporal === undefined ? localServerEnv({}, { address, namespace: 'default' }) : env;
  return Object.fromEntries(
    Object.entries(leading).filter(([name]) => name.startsWith('TEMPORAL_')),
  );
}

async function startTemporal(
  options: BringUp,
  setup: ProcessSetup,
  progress: Progress,
): Promise<void> {
  const { env, settings, supervisor, log } = options;
  if (settings.temporal !== undefined) {
    await demandReachable(settings.temporal.connection);
    return;
  }
  let cliPath = '';
  supervisor.add('temporal', () => launchTemporal(setup, cliPath));
  cliPath = (await resolveTemporalCli({ env, log })).path;
  await progress.during({ name: 'Temporal' }, () => supervisor.start('temporal'));
}

async function startStore(
  { settings, folder, supervisor }: BringUp,
  setup: ProcessSetup,
  progress: Progress,
): Promise<void> {
  if (settings.databaseUrl === undefined) {
    supervisor.add('store', () => launchStore(setup));
    const isNew = !existsSync(folder.storeFolder);
    const step = { name: 'the store', ...(isNew && { why: MAKES.store }) };
    await progress.during(step, () => supervisor.start('store'));
    return;
  }
  const { migrateOrExplain } = await import('../store/migrate.js');
  await migrateOrExplain(settings.databaseUrl);
}

async function demandReachable(connection: TemporalConnectionOptions): Promise<void> {
  try {
    const reached = await Connection.connect({ ...connection, connectTimeout: REACH_MS });
    await reached.close();
  } catch (error) {
    const where = `at TEMPORAL_ADDRESS ${connection.address}`;
    throw new StartupError(`No Temporal server answers ${where}: ${reasonOf(error)}`);
  }
}

/**
 * Bundles the workflow code into `file`, from which every worker starts, in a process of its own, because it keeps
 * one busy for seconds.
 *
 * @throws StartupError with the last lines of the bundler if it fails; the signal's reason if it is aborted first
 */
async function buildWorkflowBundle(
  file: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const builder = launchNode({
    script: siblingScript('../workers/build-bundle'),
    args: [file],
    env: childEnv(env),
    onLine: () => undefined,
  });
  const abort = (): void => builder.signalAll('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  const { how, lastLines } = await builder.ended;
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  if (how !== 'exit code 0') {
    throw new StartupError(`The workflow bundle could not be built (${how}): ${lastLines}`);
  }
}
