import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Page } from './page-server.js';

/** A number that is asked for whenever the metrics are read. */
export interface NumberSource {
  /** Begins with `holdpoint_`. */
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** A registry of one process, with what Node tells of the process. Nothing of it is global. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Adds a number without labels that somebody else keeps. */
export function addGauge(registry: Registry, { name, help, read }: NumberSource): void {
  const collect = (): void => gauge.set(read());
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

/** Adds a number without labels that somebody else counts up from 0; its name ends with `_total`. */
export function addCounter(registry: Registry, { name, help, read }: NumberSource): void {
  const collect = (): void => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ name, help, registers: [registry], collect });
}

/**
 * The page `/metrics` in the text format of Prometheus.
 *
 * @param more - gets further metrics in the same format; they are left out if it throws
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
 * Lets all who ask within a time share one answer, and one question while it is under way. A failure is shared as well,
 * so that what is away is not asked all the time.
 *
 * @param keptMs - how long an answer counts, in milliseconds from the question
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
