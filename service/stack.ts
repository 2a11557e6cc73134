import type { ApiKey } from '../contracts/api-key.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { bringUp } from './bring-up.js';
import {
  keptDevelopmentKeys,
  keptCheckpointKey,
  keptLinkKey,
  keptIdSecret,
  keptSubscriptionSecret,
  openDataFolder,
} from './data-folder.js';
import type { DataFolder } from './data-folder.js';
import { freePorts, keepTemporalPort } from './ports.js';
import type { Ports } from './ports.js';
import { createRelay, untilAnswers } from './processes.js';
import type { ProcessName, Relay } from './processes.js';
import { readSettings } from './settings.js';
import type { ServiceSettings } from './settings.js';
import { Supervisor } from './supervisor.js';

export interface StackOptions {
  /** Made where missing; one stack at a time may use it. */
  readonly dataDir: string;
  /** Settings as `npm start` knows them; `PORT` and `HOLDPOINT_DATA_DIR` are not read here. */
  readonly env: NodeJS.ProcessEnv;
  /** Gets every line for a person: restarts, notifications, warnings of the processes. */
  readonly log: (line: string) => void;
  /** Gets every line of every process, in the place of what picks the lines for `log`. */
  readonly relay?: Relay;
  /** The configuration file, instead of `HOLDPOINT_CONFIG`. */
  readonly configPath?: string;
  /** Whether to build the inbox of a checkout where it is missing or old. */
  readonly buildsInbox?: boolean;
  /** Free ones unless given. */
  readonly ports?: Ports;
  /** Gives up starting; what runs already is stopped. */
  readonly signal?: AbortSignal;
}

/** A running Holdpoint: Temporal, store, worker and API, each a process that is restarted. */
export interface Stack {
  readonly apiUrl: string;
  /** `host:port` of Temporal's frontend. */
  readonly temporalAddress: string;
  /** Undefined with a Temporal server that is not ours. */
  readonly temporalUiUrl: string | undefined;
  readonly databaseUrl: string;
  readonly keys: readonly ApiKey[];
  readonly keysAreMade: boolean;
  /** The processes that run now; one between its end and its next start is missing. */
  readonly pids: () => Partial<Record<ProcessName, number>>;
  /** How often a process was started again. */
  readonly restartCount: (name: ProcessName) => number;
  /** Ends a process and all it started; resolves once it is gone. It is then started again. */
  readonly kill: (name: ProcessName, signal?: NodeJS.Signals) => Promise<void>;
  /** Kills a process and keeps it down. */
  readonly pause: (name: ProcessName) => Promise<void>;
  /** Starts a paused process; resolves when it says that it is up. */
  readonly resume: (name: ProcessName) => Promise<void>;
  /** Resolves when the process that runs, or the next one, says that it is up. */
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
 * @throws StartupError or TemporalConfigError for settings that cannot be used, before anything is
 * started; else the error of the process that did not come up, after the others have been stopped
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log, configPath } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const env = { ...options.env, ...(configPath && { HOLDPOINT_CONFIG: configPath }) };
  const settings = readSettings(env, process.cwd());
  await loadDataConverter(env, process.cwd());
  const ports = options.ports ?? (await freePorts());
  const folder = await openDataFolder(options.dataDir);
  for (const warning of settings.warnings) log(warning);
  log(`Holdpoint is starting; its data is in ${folder.root}`);
  const keysAreMade = settings.keys === undefined;
  const supervisor = new Supervisor<ProcessName>({ log });
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const isReady = () => untilAnswers(`${apiUrl}/ready`, READY_MS, signal);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await folder.release();
  };
  try {
    const relay = options.relay ?? createRelay(log);
    const made = () => keptDevelopmentKeys(folder.keysFile);
    const configured = settings.keys ?? { keys: await made(), file: folder.keysFile };
    const idSecrets = settings.idSecrets ?? (await keptIdSecret(folder.idSecretFile));
    const checkpointKey =
      settings.checkpointKey ?? (await keptCheckpointKey(folder.checkpointKeyFile));
    const linkKeys = settings.linkKeys ?? (await keptLinkKey(folder.linkKeyFile));
    const start = {
      env,
      settings,
      configured,
      idSecrets,
      checkpointKey,
      linkKeys,
      subscriptionSecrets: await subscriptionSecrets(settings, folder),
      ports,
      folder,
      supervisor,
      relay,
      log,
      signal,
      buildsInbox: options.buildsInbox ?? false,
    };
    if (settings.temporal === undefined) await keepTemporalPort(folder.temporalPortFile, ports);
    const found = await bringUp(start);
    await isReady();
    const running = { ...handles(supervisor), untilReady: isReady, stop };
    return { apiUrl, ...found, keys: configured.keys, keysAreMade, ...running };
  } catch (error) {
    failed.abort();
    await stop();
    throw error;
  }
}

/** None are made where the configuration names its own. */
async function subscriptionSecrets(
  { subscriptionSecrets: given, namesSubscriptionSecrets }: ServiceSettings,
  { subscriptionSecretFile }: DataFolder,
): Promise<string | undefined> {
  if (namesSubscriptionSecrets) return undefined;
  return given ?? (await keptSubscriptionSecret(subscriptionSecretFile));
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
