import type { ApiKey } from '../contracts/config.js';
import { childEnv } from './child-env.js';
import type { DataFolder } from './data-folder.js';
import { launchNode } from './node-process.js';
import type { LaunchedProcess } from './node-process.js';
import type { Ports } from './ports.js';
import type { Relay } from './relay.js';
import { siblingScript } from './scripts.js';
import type { TemporalProcessSettings } from './temporal-process.js';
import { untilReady } from './until-ready.js';

export type ProcessName = 'temporal' | 'store' | 'worker' | 'api';

/** What the processes of one stack have in common. */
export interface ProcessSetup {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: DataFolder;
  readonly ports: Ports;
  readonly databaseUrl: string;
  /** `TEMPORAL_…` settings that lead to the server in use. */
  readonly temporalEnv: NodeJS.ProcessEnv;
  readonly configFile: string | undefined;
  /** Secrets of the channels; they reach the worker alone. */
  readonly channelEnv: NodeJS.ProcessEnv;
  readonly dataConverter: string | undefined;
  readonly keys: readonly ApiKey[];
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
    HOLDPOINT_WORKFLOW_BUNDLE: setup.folder.bundleFile,
  });
}

/** The API, on loopback; the keys reach no other process. */
export function launchApi(setup: ProcessSetup): LaunchedProcess {
  const process = launch(setup, 'api', '../api/main', [], {
    ...sharedSettings(setup),
    HOST,
    PORT: String(setup.ports.api),
    HOLDPOINT_API_KEYS: JSON.stringify(setup.keys),
  });
  return { ...process, ready: untilHealthy(`http://${HOST}:${setup.ports.api}/health`, process) };
}

/** Resolves when it is answered at `url`; never, where the process ends before. */
function untilHealthy(url: string, process: LaunchedProcess): Promise<void> {
  const gone = new AbortController();
  void process.ended.then(() => gone.abort());
  const never = new Promise<never>(() => undefined);
  return untilReady(url, Infinity, gone.signal).catch(() => never);
}

function sharedSettings(setup: ProcessSetup) {
  return {
    ...setup.temporalEnv,
    DATABASE_URL: setup.databaseUrl,
    HOLDPOINT_CONFIG: setup.configFile,
    HOLDPOINT_DATA_CONVERTER: setup.dataConverter,
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
