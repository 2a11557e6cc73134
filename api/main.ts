import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { ApiKey } from '../contracts/api-key.js';
import { runMain, traceOf, untilStopRequested } from '../runtime/program.js';
import { openDatabase } from '../store/database.js';
import { FeedHub } from '../store/feed/hub.js';
import { feedSourceOf } from '../store/feed/source.js';
import { startTracing } from '../runtime/tracing/start.js';
import { connectionOptions } from '../temporal-config/connection.js';
import { createApp } from './app.js';
import { BackgroundQueue } from './gateway/calls/background.js';
import { createGateways } from './gateway/index.js';
import { queriesIn, queriesOf } from './gateway/reads/from-store.js';
import { startMetrics } from './metrics/start.js';
import { isWildcard, listenOnConfiguredPort } from './server.js';
import type { RunningServer } from './server.js';
import { apiSettings } from './settings.js';
import { startSlack } from './slack/start.js';
import { startSignIn } from './sign-in/start.js';
import { traceCalls, tracedWrites } from './tracing/calls.js';

/** What no request waits for has so long when the process ends, in milliseconds. */
const BACKGROUND_MS = 3_000;

/** The log of this process, which begins with warnings about its settings. */
function logWith(warnings: readonly string[]): Logger {
  // Whoever reads the log may be slow, and no request shall wait for that. What is left is written at exit.
  const log = pino({ serializers: { err: traceOf } }, pino.destination({ dest: 1, sync: false }));
  for (const warning of warnings) log.warn(warning);
  return log;
}

/**
 * `npm run api`: serves the API until it is asked to stop, and lets requests in flight end then.
 * Temporal and the store need not be there when it starts; `/ready` says whether they are.
 */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const stopRequested = untilStopRequested();
  const settings = await apiSettings(env, process.cwd());
  const { config, keys, areKeysMade, dataConverter, idSecrets, agentStates, storeUrl } = settings;
  const { connection: options, namespace } = connectionOptions(env);
  const db = openDatabase(storeUrl);
  const connection = Connection.lazy({ ...options, interceptors: [] });
  const log = logWith(settings.warnings);
  const background = new BackgroundQueue(log);
  const tracing = await startTracing(env, 'holdpoint-api', log);
  const client = new Client({
    connection,
    namespace,
    ...(dataConverter && { dataConverter }),
    ...(tracing && { interceptors: { workflow: [traceCalls(tracing)] } }),
  });
  const store = queriesOf(db);
  const queries = (space: string) => queriesIn(db, space);
  const [stopping, closing] = [new AbortController(), new AbortController()];
  const { signIn, browsers, ...known } = startSignIn({
    keys,
    file: settings.keyFile,
    isLoopback: settings.isLocal,
    ...settings.signingIn,
    store,
    log,
  });
  const now = () => Date.now();
  const feed = new FeedHub(feedSourceOf(db, storeUrl), log);
  const metrics = await startMetrics(settings.metricsAddress, { store, feed, config, now, log });
  const gateways = createGateways({
    client,
    store,
    storeIn: tracing ? (space) => tracedWrites(tracing, queries(space)) : queries,
    config,
    ...known,
    idSecrets,
    agentStates,
    log,
    background,
    now,
    stopping: stopping.signal,
    closing: closing.signal,
    ...(metrics && { written: metrics.written, showWrites: metrics.showWrites }),
  });
  const { openLink, temporalUi } = settings;
  const slack = startSlack(settings.slack, { gateways, config, log });
  const watched = { log, metrics: metrics?.registry, tracing, openLink, temporalUi, slack };
  const app = createApp({ gateways, feed, signIn, browsers, config, ...watched });
  const server = await listenOnConfiguredPort(app, settings.host, env);
  if (areKeysMade) showKeys(keys, env['HOST']);
  for (const line of readyLines(server, metrics?.url)) say(line);
  await stopRequested;
  // A proxy that looks at `/ready` must have sent its last request before the listener closes.
  stopping.abort();
  await pause(settings.noticeMs);
  closing.abort();
  await server.close();
  await Promise.all([slack?.close(), background.close(BACKGROUND_MS)]);
  await Promise.all([metrics?.close(), tracing?.close(), connection.close(), db.destroy()]);
}

/** The addresses, and a warning if the API is open to the network. */
function readyLines(
  { url, address: { address, port } }: RunningServer,
  metricsUrl?: string,
): readonly string[] {
  const ready = [
    ...(metricsUrl === undefined ? [] : [`Metrics on ${metricsUrl}`]),
    `Holdpoint API ready on ${url}`,
  ];
  if (!isWildcard(address)) return ready;
  const all = address === '::' ? '[::]' : address;
  return [...ready, `It listens on ${all}:${port}: every network of this machine reaches it.`];
}

function showKeys(keys: readonly ApiKey[], host: string | undefined): void {
  const unused = host ? ` HOST=${host} is not used without them.` : '';
  say(`No HOLDPOINT_API_KEYS set; loopback only, with keys made for this start:${unused}`);
  for (const { key, roles } of keys) say(`  ${roles.join(', ').padEnd(9)} ${key}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runMain(() => main(process.env));
