import type { WorkerInterceptors } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import type { JournalWatch } from '../../contracts/log/journal.js';
import { pageAddressOf, servePages } from '../../runtime/metrics/page-server.js';
import { createRegistry, journalCounter, metricsPage } from '../../runtime/metrics/registry.js';
import { storeState } from '../../store/migrate.js';
import type { Store } from '../../store/schema.js';
import { freePort } from '../../temporal-config/ports.js';
import type { SdkMetrics } from '../log.js';
import { healthPage, readyPage, type Running } from './health.js';
import { countFailures, measureJournal, measured } from './metrics.js';

export interface WorkerPages {
  /** `http://host:port`, undefined without pages. */
  readonly url: string | undefined;
  /** For `Runtime.install`. */
  readonly metrics: SdkMetrics;
  readonly interceptors: WorkerInterceptors;
  /** Counts the rows that are written to the store. */
  readonly watch: JournalWatch;
  readonly measured: (dependencies: ActivityDependencies) => ActivityDependencies;
  /** Gets the parts of this process, once they run. */
  readonly show: (running: Running) => void;
  readonly close: () => Promise<void>;
}

const NO_PAGES: WorkerPages = {
  url: undefined,
  metrics: undefined,
  interceptors: {},
  watch: () => undefined,
  measured: (dependencies) => dependencies,
  show: () => undefined,
  close: () => Promise.resolve(),
};

const LOOPBACK = '127.0.0.1';
const SDK_MS = 2_000;

/**
 * Serves `/metrics`, `/health` and `/ready` at the address in `HOLDPOINT_WORKER_METRICS`, even before Temporal is
 * reached; without it nothing is served or measured.
 *
 * @throws PortTakenError, or StartupError if the address cannot be used
 */
export async function startPages(
  env: NodeJS.ProcessEnv,
  db: Store,
  log: Logger,
): Promise<WorkerPages> {
  const address = pageAddressOf(env, 'HOLDPOINT_WORKER_METRICS');
  if (address === undefined) return NO_PAGES;
  const registry = createRegistry();
  const sdkAddress = `${LOOPBACK}:${await freePort(LOOPBACK)}`;
  let running: Running | undefined;
  const pages = {
    '/metrics': metricsPage(registry, () => sdkMetrics(sdkAddress)),
    '/health': healthPage,
    '/ready': readyPage({ running: () => running, storeState: () => storeState(db) }),
  };
  const server = await servePages(pages, address, log);
  return {
    url: server.url,
    metrics: {
      prometheus: {
        bindAddress: sdkAddress,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    interceptors: { activity: [countFailures(registry), measureJournal(registry)] },
    watch: journalCounter(registry),
    measured: (dependencies) => measured(dependencies, registry),
    show: (now) => (running = now),
    close: () => server.close(),
  };
}

/** Reads the metrics of the SDK's own exporter, which listens on loopback only. */
async function sdkMetrics(address: string): Promise<string> {
  const reply = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(SDK_MS) });
  if (!reply.ok) throw new Error(`the SDK answered with ${reply.status}`);
  return reply.text();
}
