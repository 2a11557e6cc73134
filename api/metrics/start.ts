import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServerConfig } from '../../contracts/server/config.js';
import {
  addCounter,
  addGauge,
  createRegistry,
  journalCounter,
  metricsPage,
  shared,
} from '../../runtime/metrics/registry.js';
import type { FeedHub } from '../../store/feed/hub.js';
import {
  storeFigures,
  type KnownChannels,
  type OpenQuestions,
  type StoreFigures,
} from '../../store/queries/figures.js';
import type { RunQuery } from '../parts/reads/from-store.js';
import type { Logger } from 'pino';
import type { JournalWatch } from '../../contracts/log/journal.js';
import { servePages, type PageAddress } from '../../runtime/metrics/page-server.js';
import type { WriteCounts } from '../parts/calls/admission.js';
import type { Request, RequestHandler } from 'express';
import { routePatternOf } from '../http/route.js';

/** The store is asked at most once in this time, however often the metrics are read; milliseconds. */
const KEPT_MS = 10_000;

interface StoreGaugesOptions {
  readonly store: RunQuery;
  readonly feed: Pick<FeedHub, 'readUpTo'>;
  readonly config: Pick<ServerConfig, 'notifications'>;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** Reads the figures of the gauges; undefined while the store is away. */
type Figures = () => Promise<StoreFigures | undefined>;

/**
 * Adds gauges of the content of the store, which every API process shows alike. While the store is away they are left
 * out, and `holdpoint_store_up` is 0.
 */
export function addStoreGauges(registry: Registry, options: StoreGaugesOptions): void {
  const { store, feed, config, now } = options;
  const channels = channelsOf(config);
  const figures = shared(() => store(storeFigures, channels).catch(() => undefined), KEPT_MS, now);
  addChannelGauges(registry, figures, channels);
  addPlain(registry, figures, {
    name: 'holdpoint_store_up',
    help: 'Whether the store answered: 1 or 0.',
    read: (found) => (found === undefined ? 0 : 1),
  });
  addPlain(registry, figures, {
    name: 'holdpoint_journal_quarantined_rows',
    help: 'Rows of the journal that the store has refused for good and set aside.',
    read: (found) => found?.refused_rows,
  });
  addPlain(registry, figures, {
    name: 'holdpoint_feed_position',
    help: 'The position in the feed of the newest event.',
    read: (found) => found?.newest_position,
  });
  addPlain(registry, figures, {
    name: 'holdpoint_feed_lag_events',
    help: 'How many positions the streams of this process are behind the newest event; 0 without streams.',
    read: (found) => {
      const { readUpTo } = feed;
      if (found === undefined || readUpTo === undefined) return found && 0;
      return Math.max(0, found.newest_position - readUpTo);
    },
  });
}

/** The states of an open question; a label. */
const STATES = ['waiting', 'reminded', 'overdue'] as const;

function addChannelGauges(registry: Registry, figures: Figures, channels: KnownChannels): void {
  const add = addByChannel.bind(undefined, registry, figures, channels);
  add({
    name: 'holdpoint_questions_open',
    help: 'Questions that are open, each in one state.',
    labelNames: ['channel', 'state'],
    read: (found) => STATES.map((state) => [{ state }, found?.[state] ?? 0]),
  });
  add({
    name: 'holdpoint_questions_overdue',
    help: 'Open questions whose reminder or expiry should have been in the store for a minute or longer.',
    labelNames: ['channel'],
    read: (found) => [[{}, found?.overdue ?? 0]],
  });
  add({
    name: 'holdpoint_oldest_open_question_age_seconds',
    help: 'How long ago the oldest open question was asked; 0 without one.',
    labelNames: ['channel'],
    read: (found) => [[{}, found?.oldest_seconds ?? 0]],
  });
}

interface StoreGauge {
  readonly name: string;
  readonly help: string;
  readonly read: (from: StoreFigures | undefined) => number | undefined;
}

interface ChannelGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly ('channel' | 'state')[];
  /** Returns the values of a channel, with their labels. */
  readonly read: (
    found: OpenQuestions | undefined,
  ) => readonly (readonly [labels: { readonly state?: string }, value: number])[];
}

/** Adds a gauge without a label, which is left out while `read` returns no value. */
function addPlain(registry: Registry, figures: Figures, { name, help, read }: StoreGauge): void {
  const collect = async (): Promise<void> => {
    const value = read(await figures());
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  };
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

/** Adds a gauge with a value for each configured channel, and one for all others together. */
function addByChannel(
  registry: Registry,
  figures: Figures,
  { names }: KnownChannels,
  { name, help, labelNames, read }: ChannelGauge,
): void {
  const collect = async (): Promise<void> => {
    const found = await figures();
    gauge.reset();
    if (found === undefined) return;
    for (const channel of [...names, OTHER]) {
      const questions = found.questions.find((one) => one.channel === channel);
      for (const [labels, value] of read(questions)) gauge.set({ channel, ...labels }, value);
    }
  };
  const gauge: Gauge<'channel' | 'state'> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect,
  });
}

const OTHER = 'other';

/** Returns the configured channels: a question may name any channel, and others do not become labels. */
function channelsOf({ notifications }: StoreGaugesOptions['config']): KnownChannels {
  return { names: Object.keys(notifications.channels), usual: notifications.default_channel };
}

interface ApiMetrics {
  readonly registry: Registry;
  readonly url: string;
  /** Counts the rows that this process writes to the store. */
  readonly written: JournalWatch;
  readonly showWrites: (writes: () => WriteCounts) => void;
  close(): Promise<void>;
}

/**
 * Serves the metrics of this process at an address of their own: on the port of the API, every caller could read
 * them. Returns undefined without an address.
 * @throws PortTakenError, or StartupError if the address cannot be used
 */
export async function startMetrics(
  address: PageAddress | undefined,
  { log, ...options }: StoreGaugesOptions & { readonly log: Logger },
): Promise<ApiMetrics | undefined> {
  if (address === undefined) return undefined;
  const registry = createRegistry();
  addStoreGauges(registry, options);
  const written = journalCounter(registry);
  const server = await servePages({ '/metrics': metricsPage(registry) }, address, log);
  return {
    registry,
    url: `${server.url}/metrics`,
    written,
    showWrites: (writes) => addWriteCounts(registry, writes),
    close: () => server.close(),
  };
}

/** Adds gauges of the writes of this process: their places, those under way, waiting and refused. */
export function addWriteCounts(registry: Registry, writes: () => WriteCounts): void {
  addGauge(registry, {
    name: 'holdpoint_writes_places',
    help: 'Writes that may be in flight at once, by how long they take to be carried out.',
    read: () => writes().places,
  });
  addGauge(registry, {
    name: 'holdpoint_writes_in_flight',
    help: 'Writes that were handed over to Temporal and have not ended.',
    read: () => writes().underWay,
  });
  addGauge(registry, {
    name: 'holdpoint_writes_waiting',
    help: 'Writes that wait for their turn.',
    read: () => writes().waiting,
  });
  addCounter(registry, {
    name: 'holdpoint_writes_refused_total',
    help: 'Writes that were refused with busy, because too many wait or one waited too long.',
    read: () => writes().refused,
  });
}

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
/** In seconds. An answer may take 10 s, and a long poll as long as its client waits. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts requests by the pattern of their route (`none` without a route), never by their path: no label holds an id. */
export function measureRequests(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'holdpoint_http_requests_total',
    help: 'Requests that have ended, by how they ended.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'How long requests took. Long polls and streams count when they end.',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'holdpoint_http_requests_in_flight',
    help: 'Requests that have begun and not ended, long polls and streams included.',
    registers,
  });
  return (req, res, next) => {
    const end = durations.startTimer();
    inFlight.inc();
    // Emitted after a whole reply, and also if the client goes away.
    res.once('close', () => {
      const labels = { method: methodOf(req), route: routePatternOf(req) ?? 'none' };
      inFlight.dec();
      end(labels);
      requests.inc({ ...labels, status: statusOf(res.statusCode, res.writableFinished) });
    });
    next();
  };
}

function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : 'other';
}

/** A client that goes away before the end of the reply gets no status. */
function statusOf(code: number, isWhole: boolean): string {
  return isWhole ? String(code) : 'aborted';
}
