import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Page } from './page-server.js';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { JournalWatch } from '../../contracts/log/journal.js';

/** A number that is read whenever the metrics are. */
interface NumberSource {
  /** Begins with `holdpoint_`. */
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** Creates the registry of one process, which is not global, with Node's metrics of the process. */
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
 * Shares one result among all callers within a time, and one call while it is under way; failures too, so that an
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

/** Counts the rows that a process has written to the store: by the journal's activity, the reconciler, or the API. */
export function journalCounter(registry: Registry): JournalWatch {
  const labelNames = ['kind'] as const;
  const registers = [registry];
  const taken = new Counter({
    name: 'holdpoint_journal_rows_total',
    help: 'Rows that the store took, repeated and refused ones included.',
    labelNames,
    registers,
  });
  const refusals = new Counter({
    name: 'holdpoint_journal_refused_rows_total',
    help: 'Rows that the store refused for good.',
    labelNames,
    registers,
  });
  const countQuestions = questionCounter(registry);
  return (written) => {
    for (const { kind } of written.rows) taken.inc({ kind });
    for (const { kind } of written.refused) refusals.inc({ kind });
    countQuestions(written);
  };
}

/**
 * Counts the questions that were asked and settled by rows of this process. Only the first writer of a row counts it,
 * because worker and API may both write it.
 */
export function questionCounter(registry: Registry): JournalWatch {
  const asked = new Counter({
    name: 'holdpoint_questions_asked_total',
    help: 'Questions that were asked.',
    registers: [registry],
  });
  const settled = new Counter({
    name: 'holdpoint_questions_settled_total',
    help: 'Questions that were settled, by how and by whom.',
    labelNames: ['resolution', 'by'] as const,
    registers: [registry],
  });
  return ({ news }) => {
    for (const row of news) {
      if (row.kind === 'suspension_opened') asked.inc();
      if (row.kind !== 'suspension_settled') continue;
      const { resolution, settled_by, reason } = row.settlement;
      settled.inc({ resolution, by: reason === PORTFOLIO_DEADLINE ? 'deadline' : settled_by });
    }
  };
}
