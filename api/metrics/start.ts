import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { JournalWatch } from '../../contracts/log/journal.js';
import { servePages } from '../../runtime/metrics/page-server.js';
import type { PageAddress } from '../../runtime/metrics/page-server.js';
import {
  addCounter,
  addGauge,
  createRegistry,
  metricsPage,
} from '../../runtime/metrics/registry.js';
import { journalCounter } from '../../runtime/metrics/journal.js';
import type { WriteCounts } from '../parts/calls/admission.js';
import { addStoreGauges } from './store.js';
import type { StoreGaugesOptions } from './store.js';

/** The metrics of an API process, and their address. */
interface ApiMetrics {
  readonly registry: Registry;
  readonly url: string;
  /** Counts the rows that this process writes to the store. */
  readonly written: JournalWatch;
  /** Shows the writes of this process. */
  readonly showWrites: (writes: () => WriteCounts) => void;
  close(): Promise<void>;
}

/**
 * Serves the metrics of this process at their own address, for every caller could read them on the port of the API. Undefined
 * without an address.
 *
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
