import { setTimeout as pause } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import type { ApiKey } from '../contracts/people/api-key.js';
import { runMain, say, traceOf, untilStopRequested } from '../runtime/program.js';
import { openDatabase } from '../store/database.js';
import { FeedHub } from '../store/feed/hub.js';
import { feedSourceOf } from '../store/feed/source.js';
import type { Store } from '../store/schema.js';
import { logTo } from '../runtime/readable-log.js';
import { startTracing } from '../runtime/tracing/start.js';
import type { Tracing } from '../runtime/tracing/tracing.js';
import { createApp } from './app.js';
import { BackgroundQueue } from './parts/calls/background.js';
import { createPartsOf } from './parts/index.js';
import { queriesIn, queriesOf } from './parts/reads/from-store.js';
import { startMetrics } from './metrics/start.js';
import { isWildcard, listenOnConfiguredPort, type RunningServer } from './server.js';
import { apiSettings } from './settings.js';
import { startSlack } from './slack/start.js';
import { temporalClients } from './temporal-clients.js';
import { startSignIn } from './sign-in/start.js';
import { tracedWrites } from './tracing/tracing.js';

/** The time that background work has when the process ends, in milliseconds. */
const BACKGROUND_MS = 3_000;

function logWith(warnings: readonly string[]): Logger {
  // No request waits for a slow reader of the log. The remaining lines are written at exit.
  const log = pino({ serializers: { err: traceOf } }, logTo(process.stdout, { sync: false }));
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
  const db = openDatabase(storeUrl);
  const log = logWith(settings.warnings);
  const [stopping, closing] = [new AbortController(), new AbortController()];
  const background = new BackgroundQueue(log);
  const tracing = await startTracing(env, 'holdpoint-api', log);
  const around = { dataConverter, tracing, log, signal: closing.signal };
  const { clients, close } = temporalClients(env, around);
  const { store, storeIn } = queriesFor(db, tracing);
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
  const partsOf = createPartsOf({
    ...clients,
    store,
    storeIn,
    feed,
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
  const { openLink, pushKey, temporalUi, codecs } = settings;
  const slack = startSlack(settings.slack, { partsOf, config, log });
  const watched = { codecs, log, metrics: metrics?.registry, tracing, temporalUi, slack };
  const app = createApp({ partsOf, feed, signIn, browsers, config, openLink, pushKey, ...watched });
  const server = await listenOnConfiguredPort(app, settings.host, env);
  if (areKeysMade) showKeys(keys, env['HOST']);
  for (const line of readyLines(server, metrics?.url)) say(line);
  await stopRequested;
  // Lets a proxy that asks `/ready` send its last request before the listener closes.
  stopping.abort();
  await pause(settings.noticeMs);
  closing.abort();
  await server.close();
  await Promise.all([slack?.close(), background.close(BACKGROUND_MS)]);
  await Promise.all([metrics?.close(), tracing?.close(), close(), db.destroy()]);
}

/** Returns the queries of the whole store, and those of one space. */
function queriesFor(db: Store, tracing: Tracing | undefined) {
  const storeIn = (space: string) => {
    const queries = queriesIn(db, space);
    return tracing ? tracedWrites(tracing, queries) : queries;
  };
  return { store: queriesOf(db), storeIn };
}

/** Returns lines with the addresses, and a warning if the API is open to the network. */
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

await runMain(() => main(process.env));
