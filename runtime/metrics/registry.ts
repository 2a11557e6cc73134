import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Page } from './page-server.js';

/** A number that is read whenever the metrics are. */
interface NumberSource {
  /** Begins with `holdpoint_`. */
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** Creates the registry of one process, with Node's metrics of the process. It is not global. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Adds a gauge without labels, whose number is kept elsewhere. */
export function addGauge(registry: Registry, { name, help, read }: NumberSource): void {
  const collect = (): void => gauge.set(read());
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

/** Adds a counter without labels, whose number is counted elsewhere from 0; its name ends with `_total`. */
export function addCounter(registry: Registry, { name, help, read }: NumberSource): void {
  const collect = (): void => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ name, help, registers: [registry], collect });
}

/**
 * Returns the page `/metrics` in the text format of Prometheus.
 *
 * @param more - returns further metrics in the same format; they are left out if it throws
 */
export function metricsPage(registry: Registry, more?: () => Promise<string>): () => Promise<Page> {
  return async () => {
    const [own, others] = await Promise.all([
      registry.metrics(),
      more?.().catch(() => '# The metrics of the SDK cannot be read.\n') ?? '',
    ]);
    return { status: 200, type: registry.contentType, body: own + others };
  };
}

/**
 * Shares one result among all callers within a time, and one call while it is under way. Failures are shared too, so that an
 * unavailable source is not called all the time.
 *
 * @param keptMs - how long a result counts, in milliseconds from its call
 */
export function shared<T>(
  ask: () => Promise<T>,
  keptMs: number,
  now: () => number = Date.now,
): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let until = -Infinity;
  return () => {
    if (latest === undefined || now() >= until) {
      until = now() + keptMs;
      latest = ask();
    }
    return latest;
  };
}
