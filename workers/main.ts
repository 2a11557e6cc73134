import { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { loadCheckpointKey } from '../runtime/checkpoint-key.js';
import { databaseUrl, loadConfig, wantsStackTraces, wantsVersioning } from '../runtime/config.js';
import { withSecrets } from '../runtime/config-secrets.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { loadLinkKeys } from '../runtime/link-tokens.js';
import { runMain, sayReady, untilStopRequested } from '../runtime/program.js';
import { unknownVariables } from '../runtime/unknown-variables.js';
import { openDatabase } from '../store/database.js';
import { noteSetAside } from '../store/queries/set-aside.js';
import { FeedHub } from '../store/feed/hub.js';
import { feedSourceOf } from '../store/feed/source.js';
import { connectionOptions } from '../temporal-config/connection.js';
import type { DeploymentVersion } from '../temporal-config/deployment.js';
import { ensureSearchAttributes } from '../temporal-config/search-attributes.js';
import { activityDependencies } from './activity-adapters.js';
import { checkChannels, checksIn } from './channel-checks.js';
import {
  ensureCheckpoints,
  ensureFollowUps,
  ensureReconciliation,
  ensureRetention,
} from './ensure-upkeep.js';
import { ensurePump } from './ensure-pump.js';
import { createWorkers } from './create-workers.js';
import { runtimeTelemetry } from './log.js';
import { startPages } from './pages/start.js';
import { reachOf } from './reach.js';
import { startNotingSetAside } from './set-aside.js';
import { prepareWorkflowThreads } from './workflow-threads.js';
import { startWorkerTracing } from './tracing/start.js';
import { versionOf, versioned } from './versioning.js';
import { connectPatiently, workflowBundle } from './worker-options.js';

/** `npm run worker`: runs workflows and activities until it is asked to stop, and then drains. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const stop = new AbortController();
  const stopRequested = untilStopRequested().then(() => stop.abort());
  const written = loadConfig(env, process.cwd());
  const config = withSecrets(written, env);
  const dataConverter = await loadDataConverter(env, process.cwd());
  const { connection: options, namespace } = connectionOptions(env);
  const storeUrl = databaseUrl(env);
  const checkpointKey = loadCheckpointKey(env);
  const linkKeys = loadLinkKeys(env);
  prepareWorkflowThreads({ stackTraces: wantsStackTraces(env) });
  const isVersioned = wantsVersioning(env);
  const db = openDatabase(storeUrl);
  // Signals are ours: the SDK would otherwise end every worker of the process by itself.
  const log = pino(pino.destination({ dest: process.stderr.fd, sync: true }));
  const endNotes = startNotingSetAside({ log, note: (run) => noteSetAside(db, run) });
  for (const warning of unknownVariables(env, written)) log.warn(warning);
  const pages = await startPages(env, db, log);
  const tracing = await startWorkerTracing(env, log);
  Runtime.install({ ...runtimeTelemetry(log, pages.metrics), shutdownSignals: [] });
  if (pages.url !== undefined) say(`Metrics on ${pages.url}/metrics`);
  const [connection, bundle] = await Promise.all([
    connectPatiently(options, say, stop.signal),
    workflowBundle(env, say),
  ]);
  if (connection !== undefined) {
    await ensureSearchAttributes(connection, namespace);
    const feed = new FeedHub(feedSourceOf(db, storeUrl), log);
    const reach = reachOf(config, linkKeys, { db, traceparent: tracing.traceparent });
    const sources = { db, feed, ...reach, config, checkpointKey, watch: pages.watch };
    const used = pages.measured(tracing.traced(activityDependencies(sources)));
    const activities = createActivities(used);
    const shared = { connection, namespace, ...(dataConverter && { dataConverter }) };
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
    pages.show({ workers, connection });
    const client = new Client(shared);
    const { signal } = stop;
    void ensurePump(client, db, log, { signal });
    void ensureCheckpoints(client, checkpointKey, log, { signal });
    void ensureRetention(client, config.retention.settled_days, log, { signal });
    void ensureReconciliation(client, log, { signal });
    void ensureFollowUps(client, [...reach.channels.values()], log, { signal });
    const checks = checkChannels(reach.channels, { ...checksIn(db), log, signal });
    sayReady(`Holdpoint worker ready, with Temporal at ${options.address}${asWhat(version)}`);
    await Promise.all(workers.map((worker) => worker.runUntil(stopRequested)));
    await checks;
    await connection.close();
  }
  await Promise.all([pages.close(), tracing.close(), endNotes()]);
  await db.destroy();
}

/** Whoever starts a worker by hand learns why it may have nothing to do. */
function asWhat(version: DeploymentVersion | undefined): string {
  if (version === undefined) return '';
  return `, as version ${version.buildId}: it gets tasks while this version is current (npm run activate)`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runMain(() => main(process.env));
