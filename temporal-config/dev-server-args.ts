import { SEARCH_ATTRIBUTES } from '../contracts/constants/names.js';

/**
 * The development server's defaults are up to six times slower: its one history shard polls its queues 20 times a second,
 * each task queue has four partitions, no activity goes straight to the worker that scheduled it, and every write looks up
 * search attributes. The version check would call an outside host. The limit of ten Updates at once at a workflow stays:
 * their results come in one message of at most 4 MiB.
 */
const DYNAMIC_CONFIG: Readonly<Record<string, number | boolean>> = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  'system.forceSearchAttributesCacheRefreshOnRead': false,
  'frontend.enableServerVersionCheck': false,
};

/** `synchronous=full`: acknowledged writes survive a power failure as well as a kill. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=full'];

export interface DevServerSettings {
  /** Port of the gRPC frontend. */
  port: number;
  /** Port of the web UI; without it there is no UI. */
  uiPort?: number;
  /** Port that serves the server's metrics to Prometheus, at `/metrics`; without it none are served. */
  metricsPort?: number;
  /** SQLite file; without it everything is lost when the server ends. */
  dbFile?: string;
  /** Created at the start, besides `default`. */
  namespace?: string;
  /** Address that the frontend and the UI bind. */
  ip?: string;
  /** Name → Temporal's type name. Default: those of Holdpoint. */
  searchAttributes?: Readonly<Record<string, string>>;
  /** Added to Holdpoint's dynamic config values, or in place of those with the same key. */
  dynamicConfig?: Readonly<Record<string, string | number | boolean>>;
}

/** The arguments for `temporal` that start a development server with these settings. */
export function devServerArgs(settings: DevServerSettings): string[] {
  const { port, uiPort, metricsPort, dbFile, namespace = 'default' } = settings;
  const { ip = '127.0.0.1', searchAttributes = SEARCH_ATTRIBUTES, dynamicConfig = {} } = settings;
  const args = ['server', 'start-dev', '--ip', ip, '--port', String(port)];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (metricsPort !== undefined) args.push('--metrics-port', String(metricsPort));
  args.push('--namespace', namespace, '--log-level', 'error', '--log-format', 'text');
  if (dbFile !== undefined) {
    args.push('--db-filename', dbFile, ...repeated('--sqlite-pragma', SQLITE_PRAGMAS));
  }
  const dynamic = Object.entries({ ...DYNAMIC_CONFIG, ...dynamicConfig });
  args.push(
    ...repeated(
      '--dynamic-config-value',
      dynamic.map(([key, value]) => `${key}=${JSON.stringify(value)}`),
    ),
  );
  const attributes = Object.entries(searchAttributes).map(([name, type]) => `${name}=${type}`);
  args.push(...repeated('--search-attribute', attributes));
  return args;
}

function repeated(flag: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}
