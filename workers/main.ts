import { Client, type ConnectionLike } from '@temporalio/client';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { loadCheckpointKey } from '../runtime/checkpoint-key.js';
import { databaseUrl, loadConfig, wantsStackTraces, wantsVersioning } from '../runtime/config.js';
import { withSecrets } from '../runtime/config-secrets.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { loadLinkKeys } from '../runtime/link-tokens.js';
import { loadPushKeys } from '../runtime/push-keys.js';
import { runMain, sayReady, untilStopRequested } from '../runtime/program.js';
import { logTo } from '../runtime/readable-log.js';
import { unknownVariables } from '../runtime/unknown-variables.js';
import { openDatabase } from '../store/database.js';
import { noteSetAside } from '../store/queries/work/quarantine.js';
import { FeedHub } from '../store/feed/hub.js';
import { feedSourceOf } from '../store/feed/source.js';
import { connectionOptions } from '../temporal-config/connection.js';
import { followCredentials, type Following } from '../temporal-config/credentials.js';
import { watchSearchAttributes } from '../temporal-config/missing-attributes.js';
import type { DeploymentVersion } from '../temporal-config/deployment.js';
import { activityDependencies } from './activity-adapters.js';
import { checkChannels, checksIn, reachOf } from './channel-checks.js';
import {
  ensureCheckpoints,
  ensurePump,
  ensureReconciliation,
  ensureRetention,
} from './ensure-upkeep.js';
import { createWorkers, readySearchAttributes } from './create-workers.js';
import { runtimeTelemetry } from './log.js';
import { startPages } from './pages/start.js';
import { prepareWorkflowThreads, startNotingSetAside } from './workflow-threads.js';
import { keepWatch, upkeepWatches } from './upkeep-watch.js';
import { startWorkerTracing } from './tracing/start.js';
import { versionOf, versioned } from './versioning.js';
import { connectPatiently, workflowBundle } from './worker-options.js';
import { defined } from '../contracts/constants/defined.js';

/** `npm run worker`: runs workflows and activities until it is asked to stop, and then drains. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const stop = new AbortController();
  const stopRequested = untilStopRequested().then(() => stop.abort());
  const written = loadConfig(env, process.cwd());
  const config = withSecrets(written, env);
  const dataConverter = await loadDataConverter(env, process.cwd());
  const { connection: options, namespace } = connectionOptions(env);
  const [storeUrl, checkpointKey] = [databaseUrl(env), loadCheckpointKey(env)];
  const [linkKeys, pushKeys] = [loadLinkKeys(env), loadPushKeys(env)];
  prepareWorkflowThreads({ stackTraces: wantsStackTraces(env) });
  const isVersioned = wantsVersioning(env);
  const db = openDatabase(storeUrl);
  // The process handles signals itself: the SDK would end every worker of the process by itself.
  const log = pino(logTo(process.stderr, { sync: true }));
  const endNotes = startNotingSetAside({ log, note: (run) => noteSetAside(db, run) });
  for (const warning of unknownVariables(env, written)) log.warn(warning);
  const pages = await startPages(env, db, log);
  const tracing = await startWorkerTracing(env, log);
  Runtime.install({ ...runtimeTelemetry(log, pages.metrics), shutdownSignals: [] });
  // A supervisor chose the address, and shows it in its own table.
  if (pages.url !== undefined && !process.connected) say(`Metrics on ${pages.url}/metrics`);
  const [connection, bundle] = await Promise.all([
    connectPatiently(options, say, stop.signal),
    workflowBundle(env, say),
  ]);
  if (connection !== undefined) {
    const attributes = await readySearchAttributes(connection, namespace, log);
    const feed = new FeedHub(feedSourceOf(db, storeUrl), log);
    const reach = reachOf(config, linkKeys, { db, traceparent: tracing.traceparent, env });
    const sources = { db, feed, ...reach, config, checkpointKey, pushKeys, watch: pages.watch };
    const used = pages.measured(tracing.traced(activityDependencies(sources)));
    const activities = createActivities(used);
    const shared = { connection, namespace, ...defined({ dataConverter }) };
    const version = isVersioned ? await versionOf(bundle) : undefined;
    const interceptors = {
      activity: [...tracing.activities, ...(pages.interceptors.activity ?? [])],
    };
    const workers = await createWorkers(
      { ...shared, interceptors, sinks: tracing.sinks, ...(version && versioned(version)) },
      bundle,
      activities,
      config.worker,
    );
    const { signal } = stop;
    const followed = follow(env, { first: options, connection, log, signal }, workers);
    const searchAttributes = watchSearchAttributes(followed, namespace, attributes);
    pages.show({ workers, connection: followed, searchAttributes });
    const client = new Client({ ...shared, connection: followed });
    void ensurePump(client, db, log, { signal });
    void ensureCheckpoints(client, checkpointKey, log, { signal });
    void ensureRetention(client, config.retention.settled_days, log, { signal });
    const around = { log, signal, after: ensureReconciliation(client, log, { signal }) };
    const checks = checkChannels(reach.channels, { ...checksIn(db), log, signal });
    const watches = upkeepWatches(used, db, client).map((one) => keepWatch(one, around));
    sayReady(`Holdpoint worker ready, with Temporal at ${options.address}${asWhat(version)}`);
    await Promise.all(workers.map((worker) => worker.runUntil(stopRequested)));
    await Promise.all([checks, ...watches]);
    await followed.close();
  }
  await Promise.all([pages.close(), tracing.close(), endNotes()]);
  await db.destroy();
}

/** Lets workers and clients continue with new credentials. */
function follow(
  env: NodeJS.ProcessEnv,
  from: Pick<Following<NativeConnection>, 'first' | 'connection' | 'log' | 'signal'>,
  workers: readonly Worker[],
): ConnectionLike {
  return followCredentials({
    ...from,
    read: () => connectionOptions(env).connection,
    open: (changed) => NativeConnection.connect(changed),
    use: (next) => {
      for (const worker of workers) worker.connection = next;
    },
  });
}

/** Explains to people who start a worker by hand why it may get no tasks. */
function asWhat(version: DeploymentVersion | undefined): string {
  if (version === undefined) return '';
  return `, as version ${version.buildId}: it gets tasks while this version is current (npm run activate)`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runMain(() => main(process.env));
