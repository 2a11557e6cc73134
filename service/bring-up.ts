import { Connection } from '@temporalio/client';
import type { ConfiguredKeys } from '../runtime/api-keys.js';
import type { IdSecrets } from '../contracts/config.js';
import { StartupError } from '../runtime/program.js';
import { resolveTemporalCli } from '../temporal-config/cli.js';
import { connectOnce } from '../temporal-config/connect-once.js';
import { connectionOptions, localServerEnv } from '../temporal-config/connection.js';
import type { TemporalConnectionOptions } from '../temporal-config/connection.js';
import { activate } from '../temporal-config/deployment.js';
import { reasonOf } from '../temporal-config/errors.js';
import { bundleFile } from '../workers/shipped-bundle.js';
import { versionOf } from '../workers/versioning.js';
import { refreshInbox } from './build-web.js';
import type { DataFolder } from './data-folder.js';
import { childEnv, launchNode, siblingScript } from './node-process.js';
import type { Ports } from './ports.js';
import { launchApi, launchStore, launchTemporal, launchWorker } from './processes.js';
import type { ProcessName, ProcessSetup, Relay } from './processes.js';
import type { ServiceSettings } from './settings.js';
import type { Supervisor } from './supervisor.js';

export interface BringUp {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: ServiceSettings;
  readonly configured: ConfiguredKeys;
  readonly idSecrets: IdSecrets;
  readonly checkpointKey: string;
  readonly linkKeys: string;
  readonly subscriptionSecrets: string | undefined;
  readonly ports: Ports;
  readonly folder: DataFolder;
  readonly supervisor: Supervisor<ProcessName>;
  readonly relay: Relay;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  readonly buildsInbox: boolean;
}

/** Where the parts of a running stack are. */
export interface StackAddresses {
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
  readonly databaseUrl: string;
}

const HOST = '127.0.0.1';
/** How long a Temporal server that is not ours may take to answer at start. */
const REACH_MS = 10_000;
/** How long a worker that says it is ready may take to be seen by Temporal. */
const ACTIVATE_MS = 30_000;

/**
 * Starts every process of the stack as early as what it needs allows: Temporal, the store and the
 * bundling of the workflows side by side, then the API and the worker.
 *
 * @throws the error of the first step that fails; the others may still be under way and are ended by
 * stopping the supervisor
 */
export async function bringUp(options: BringUp): Promise<StackAddresses> {
  const { env, settings, ports, folder, supervisor, signal, log } = options;
  const found = stackAddresses(settings, ports);
  const made = await bundleFile(env, log);
  const setup: ProcessSetup = {
    env,
    bundleFile: made ?? folder.bundleFile,
    folder,
    ports,
    relay: options.relay,
    keys: options.configured,
    idSecrets: options.idSecrets,
    checkpointKey: options.checkpointKey,
    linkKeys: options.linkKeys,
    subscriptionSecrets: options.subscriptionSecrets,
    publicUrl: settings.publicUrl ?? `http://${HOST}:${ports.api}`,
    configFile: settings.configFile,
    temporalUi: temporalUi(env, found),
    channelEnv: settings.channelEnv,
    apiEnv: settings.apiEnv,
    dataConverter: settings.dataConverter,
    databaseUrl: found.databaseUrl,
    temporalEnv: temporalEnv(env, settings, found.temporalAddress),
  };
  const giveUp = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const bundled = made === undefined && buildWorkflowBundle(folder.bundleFile, env, signal);
  const grounds = Promise.all([startTemporal(options, setup), startStore(options, setup)]);
  supervisor.add('worker', () => launchWorker(setup));
  supervisor.add('api', () => launchApi(setup));
  const worker = Promise.all([grounds, bundled])
    .then(() => supervisor.start('worker'))
    .then(() => activateWorker(options, setup));
  const api = grounds.then(() => supervisor.start('api'));
  const inbox = options.buildsInbox && refreshInbox({ env, log, signal });
  await Promise.race([Promise.all([worker, api, inbox]), giveUp]);
  return found;
}

/** Temporal gives the worker nothing to do before its version is current; it stays so over restarts of both. */
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

function stackAddresses({ temporal, databaseUrl }: ServiceSettings, ports: Ports): StackAddresses {
  return {
    temporalAddress: temporal?.connection.address ?? `${HOST}:${ports.temporal}`,
    temporalUiUrl: temporal === undefined ? `http://${HOST}:${ports.temporalUi}` : undefined,
    databaseUrl: databaseUrl ?? `postgres://postgres@${HOST}:${ports.store}/postgres`,
  };
}

/** Where people see the workflows: what is configured, else the UI of our own server. */
function temporalUi(env: NodeJS.ProcessEnv, found: StackAddresses): string | undefined {
  const own = found.temporalUiUrl && `${found.temporalUiUrl}/namespaces/default`;
  return env['HOLDPOINT_TEMPORAL_UI'] || own;
}

/** The variables that lead to the Temporal server in use: ours alone, or those of this environment. */
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

async function startTemporal(options: BringUp, setup: ProcessSetup): Promise<void> {
  const { env, settings, supervisor, log } = options;
  if (settings.temporal !== undefined) {
    await demandReachable(settings.temporal.connection);
    return;
  }
  let cliPath = '';
  supervisor.add('temporal', () => launchTemporal(setup, cliPath));
  cliPath = (await resolveTemporalCli({ env, log })).path;
  await supervisor.start('temporal');
}

async function startStore({ settings, supervisor }: BringUp, setup: ProcessSetup): Promise<void> {
  if (settings.databaseUrl === undefined) {
    supervisor.add('store', () => launchStore(setup));
    await supervisor.start('store');
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
 * Bundles the workflow code into `file`, in a process of its own because it keeps one busy for
 * seconds. Every worker then starts from that file.
 *
 * @throws StartupError with the last lines of the bundler if it fails; the signal's reason if it
 * is aborted first
 */
export async function buildWorkflowBundle(
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
