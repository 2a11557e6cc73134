import { Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createChannels } from '../activities/channels/routing.js';
import { createActivities } from '../activities/index.js';
import { FEED_TASK_QUEUE, TASK_QUEUE } from '../contracts/constants/names.js';
import { databaseUrl, loadConfig, withSecrets } from '../runtime/config.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { runMain, sayReady, untilStopRequested } from '../runtime/program.js';
import { openDatabase } from '../store/database.js';
import { FeedHub } from '../store/feed/hub.js';
import { feedSourceOf } from '../store/feed/source.js';
import { connectionOptions } from '../temporal-config/connection.js';
import { ensureSearchAttributes } from '../temporal-config/search-attributes.js';
import { activityDependencies } from './activity-adapters.js';
import { runtimeLogging } from './log.js';
import { FEED_TUNING, WORKER_TUNING, connectPatiently, workflowBundle } from './worker-options.js';

/** `npm run worker`: runs workflows and activities until it is told to stop, and drains then. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const stop = new AbortController();
  const told = untilStopRequested().then(() => stop.abort());
  const config = withSecrets(loadConfig(env, process.cwd()), env);
  const dataConverter = await loadDataConverter(env, process.cwd());
  const { connection: options, namespace } = connectionOptions(env);
  const storeUrl = databaseUrl(env);
  const db = openDatabase(storeUrl);
  // Signals are ours: the SDK would otherwise end every worker of the process by itself.
  const log = pino(pino.destination({ dest: process.stderr.fd, sync: true }));
  Runtime.install({
    ...runtimeLogging(log),
    shutdownSignals: [],
  });
  const [connection, bundle] = await Promise.all([
    connectPatiently(options, say, stop.signal),
    workflowBundle(env),
  ]);
  if (connection !== undefined) {
    await ensureSearchAttributes(connection, namespace);
    const feed = new FeedHub(feedSourceOf(db, storeUrl), log);
    const channels = createChannels(config.notifications);
    const activities = createActivities(activityDependencies({ db, feed, channels, config }));
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUE,
      workflowBundle: bundle,
      ...(dataConverter && { dataConverter }),
      activities,
      ...WORKER_TUNING,
    });
    const feedWorker = await Worker.create({
      connection,
      namespace,
      taskQueue: FEED_TASK_QUEUE,
      ...(dataConverter && { dataConverter }),
      activities: { deliverEvents: activities.deliverEvents.bind(activities) },
      ...FEED_TUNING,
    });
    sayReady(`Holdpoint worker ready, with Temporal at ${options.address}`);
    await Promise.all([worker.runUntil(told), feedWorker.runUntil(told)]);
    await connection.close();
  }
  await db.destroy();
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runMain(() => main(process.env));
