import type { ApiKey } from '../contracts/people/api-key.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { bringUp } from './bring-up.js';
import { keptDevelopmentKeys, keptSecret, openDataFolder, type DataFolder } from './data-folder.js';
import { freePorts, type Ports } from './ports.js';
import {
  createRelay,
  metricsUrl,
  untilAnswers,
  type ProcessName,
  type Relay,
} from './processes.js';
import { readSettings } from './settings.js';
import { Supervisor } from './supervisor.js';

export interface StackOptions {
  /** The folder is created if it is missing; one stack at a time may use it. */
  readonly dataDir: string;
  /** Settings as `npm start` knows them; `PORT` and `HOLDPOINT_DATA_DIR` are not read here. */
  readonly env: NodeJS.ProcessEnv;
  /** Gets every line for a person: restarts, notifications, warnings of the processes. */
  readonly log: (line: string) => void;
  /** Whether a person reads the lines; logs are JSON otherwise. */
  readonly isTerminal?: boolean;
  /** Gets every line of every process; by default it picks the lines for `log`. */
  readonly relay?: Relay;
  /** The configuration file, instead of `HOLDPOINT_CONFIG`. */
  readonly configPath?: string;
  /** Whether to build the inbox of a checkout if it is missing or old. */
  readonly buildsInbox?: boolean;
  /** Chooses the ports; free ones unless given. */
  readonly ports?: (folder: DataFolder, env: NodeJS.ProcessEnv) => Promise<Ports>;
  /** Stops the start, and whatever runs already. */
  readonly signal?: AbortSignal;
}

/** A running Holdpoint: Temporal, store, worker and API, each a process that is restarted. */
export interface Stack {
  readonly apiUrl: string;
  readonly temporalAddress: string;
  /** The pages of the namespace in the Temporal UI; undefined for a configured Temporal without HOLDPOINT_TEMPORAL_UI. */
  readonly temporalUiUrl: string | undefined;
  readonly databaseUrl: string;
  /** The addresses of the metrics of API and worker, as far as they are known. */
  readonly metricsUrls: { readonly api: string | undefined; readonly worker: string | undefined };
  readonly folder: DataFolder;
  readonly keys: readonly ApiKey[];
  readonly keysAreMade: boolean;
  readonly pids: () => Partial<Record<ProcessName, number>>;
  readonly restartCount: (name: ProcessName) => number;
  /** Ends a process and all it started; resolves once it is gone. It is then started again. */
  readonly kill: (name: ProcessName, signal?: NodeJS.Signals) => Promise<void>;
  /** Kills a process and keeps it down. */
  readonly pause: (name: ProcessName) => Promise<void>;
  /** Starts a paused process; resolves when it is ready. */
  readonly resume: (name: ProcessName) => Promise<void>;
  /** Resolves when the running process, or the next one, is ready. */
  readonly untilUp: (name: ProcessName) => Promise<void>;
  /** Resolves when the API reports Temporal, worker and store as ready; rejects after 60 s. */
  readonly untilReady: () => Promise<void>;
  /** Ends every process in order, the API first; may be called again. */
  readonly stop: () => Promise<void>;
}

const READY_MS = 60_000;

/**
 * Starts a whole Holdpoint on loopback and resolves when it can be used.
 *
 * @throws StartupError or TemporalConfigError for unusable settings, before anything is started; else the error of the
 * process that did not come up, after the others have been stopped
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log, configPath } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const env = { ...options.env, ...(configPath && { HOLDPOINT_CONFIG: configPath }) };
  const settings = readSettings(env, process.cwd());
  await loadDataConverter(env, process.cwd());
  const folder = await openDataFolder(options.dataDir);
  const keysAreMade = settings.keys === undefined;
  const supervisor = new Supervisor<ProcessName>({ log });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await folder.release();
  };
  try {
    const ports = await (options.ports ?? freePorts)(folder, env);
    const apiUrl = `http://127.0.0.1:${ports.api}`;
    const isReady = () => untilAnswers(`${apiUrl}/ready`, READY_MS, signal);
    for (const warning of settings.warnings) log(warning);
    log(`Holdpoint is starting; its data is in ${folder.root}`);
    log(
      settings.configFile === undefined
        ? `No openintent.yaml in ${process.cwd()}: every setting has its default.`
        : `Its configuration is ${settings.configFile}`,
    );
    const relay = options.relay ?? createRelay(log, options.isTerminal ?? false);
    const made = () => keptDevelopmentKeys(folder.keysFile);
    const keys = settings.keys ?? { keys: await made(), file: folder.keysFile };
    const kept = settings.unset.map(
      async (name) => [name, await keptSecret(folder.root, name)] as const,
    );
    const secrets = { ...settings.secrets, ...Object.fromEntries(await Promise.all(kept)) };
    const known = { env, settings, keys, secrets, ports, folder, relay };
    const { buildsInbox = false } = options;
    const found = await bringUp({ ...known, supervisor, log, signal, buildsInbox });
    await isReady();
    const metricsUrls = {
      api: metricsUrl(known, 'HOLDPOINT_API_METRICS'),
      worker: metricsUrl(known, 'HOLDPOINT_WORKER_METRICS'),
    };
    const running = { ...handles(supervisor), untilReady: isReady, stop };
    return { apiUrl, ...found, metricsUrls, folder, keys: keys.keys, keysAreMade, ...running };
  } catch (error) {
    failed.abort();
    await stop();
    throw error;
  }
}

function handles(supervisor: Supervisor<ProcessName>) {
  return {
    pids: () =>
      Object.fromEntries(
        supervisor.names.flatMap((name) => {
          const { pid } = supervisor.process(name);
          return pid === undefined ? [] : [[name, pid]];
        }),
      ),
    restartCount: (name: ProcessName) => supervisor.process(name).restarts,
    kill: (name: ProcessName, signal?: NodeJS.Signals) => supervisor.process(name).kill(signal),
    pause: (name: ProcessName) => supervisor.process(name).pause(),
    resume: (name: ProcessName) => supervisor.process(name).resume(),
    untilUp: (name: ProcessName) => supervisor.process(name).untilUp(),
  };
}
