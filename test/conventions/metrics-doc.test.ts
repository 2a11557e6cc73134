import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { addStoreGauges, addWriteCounts, measureRequests } from '../../api/metrics/start.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { createRegistry, journalCounter } from '../../runtime/metrics/registry.js';
import { countFailures, measureJournal, measured } from '../../workers/pages/metrics.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const PAGE = read('docs/watch-and-repair.md');
/** A chart can only use files of its own folder. */
const CHART_FILES = 'deploy/helm/holdpoint/files';

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

function metricsIn(registry: Registry): readonly Metric[] {
  return registry.getMetricsAsArray().map((metric) => {
    const { name, type, labelNames } = metric as unknown as {
      name: string;
      type: string;
      labelNames: readonly string[];
    };
    return { name, type, labels: labelNames };
  });
}

/** Everything that API and worker count by themselves. */
function ownMetrics(): readonly Metric[] {
  const registry = new Registry();
  const config = serverConfigSchema.parse({});
  measureRequests(registry);
  addStoreGauges(registry, {
    store: () => Promise.reject(new Error('not asked')),
    feed: { readUpTo: undefined },
    config,
    now: () => 0,
  });
  addWriteCounts(registry, () => ({ places: 0, underWay: 0, waiting: 0, refused: 0 }));
  const worker = { store: {}, deliveries: {}, config } as unknown as ActivityDependencies;
  journalCounter(registry);
  measured(worker, registry);
  countFailures(registry);
  measureJournal(registry);
  return metricsIn(registry);
}

const OWN = ownMetrics();
const OF_PROCESS = metricsIn(createRegistry());

/** The rows of the tables of metrics, from name to labels. */
function documented(): readonly Metric[] {
  const rows = PAGE.matchAll(/^\| `(holdpoint_\w+)` +\| (\w+) +\| ([^|]*)\|/gm);
  return [...rows].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  }));
}

const byName = (one: Metric, other: Metric): number => (one.name < other.name ? -1 : 1);

/** What queries use of a metric, by its type. */
function seriesOf({ name, type }: Metric): readonly string[] {
  return type === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name];
}

interface Used {
  readonly names: readonly string[];
  readonly labels: readonly string[];
  /** Where the query cannot be read. */
  readonly errors: readonly number[];
}

function usedIn(query: string): Used {
  const names: string[] = [];
  const labels: string[] = [];
  const errors: number[] = [];
  parser.parse(query).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) errors.push(from);
      if (name === 'Identifier') names.push(query.slice(from, to));
      if (name === 'LabelName') labels.push(query.slice(from, to));
    },
  });
  return { names, labels, errors };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const BOARD = JSON.parse(read(`${CHART_FILES}/grafana.json`)) as {
  readonly panels: readonly Panel[];
};
const PANELS = BOARD.panels.filter(({ type }) => type !== 'row');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly todo: string };
}

const { groups } = parse(read(`${CHART_FILES}/alerts.yaml`)) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const RULES = groups.flatMap(({ rules }) => rules);
const QUERIES: readonly (readonly [where: string, query: string])[] = [
  ...PANELS.flatMap(({ title, targets = [] }) =>
    targets.map(
      ({ expr }) => [`the board, ${title}`, expr.replaceAll('$__rate_interval', '5m')] as const,
    ),
  ),
  ...RULES.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
];

/** What the page says of the SDK's metrics. */
const OF_SDK = [...PAGE.matchAll(/`(temporal_\w+)`/g)].map(([, name = '']) => name);
const SDK_LABELS = ['operation', 'status_code', 'task_queue', 'worker_type', 'workflow_type'];
/** What Prometheus itself adds. */
const OF_PROMETHEUS = { names: ['up'], labels: ['instance', 'job', 'le'] };

const NAMES = new Set([
  ...[...OWN, ...OF_PROCESS].flatMap(seriesOf),
  ...OF_SDK.flatMap((name) =>
    name.endsWith('_seconds') ? seriesOf({ name, type: 'histogram', labels: [] }) : [name],
  ),
  ...OF_PROMETHEUS.names,
]);
const LABELS = new Set([
  ...OWN.flatMap(({ labels }) => labels),
  ...SDK_LABELS,
  ...OF_PROMETHEUS.labels,
]);

/** What a query uses and nobody shows. */
function lostIn(query: string): readonly string[] {
  const { names, labels, errors } = usedIn(query);
  return [
    ...errors.map((at) => `cannot be read at ${at}`),
    ...names.filter((name) => !NAMES.has(name)),
    ...labels.filter((label) => !LABELS.has(label)),
  ];
}

describe('the table of metrics', () => {
  it('has every metric of API and worker, with its type and labels', () => {
    assert.ok(OWN.length >= 19, `${OWN.length} metrics`);
    assert.deepEqual([...documented()].sort(byName), [...OWN].sort(byName));
  });

  it('has only metrics of the SDK that its core knows', () => {
    const releases = path.join(ROOT, 'node_modules/@temporalio/core-bridge/releases');
    const [platform = ''] = readdirSync(releases);
    const core = readFileSync(path.join(releases, platform, 'index.node'));
    assert.ok(OF_SDK.length >= 6, `${OF_SDK.length} names`);
    for (const name of OF_SDK) {
      const bare = name.replace(/^temporal_/, '').replace(/_(?:total|seconds)$/, '');
      assert.ok(core.includes(bare), name);
    }
  });

  it('is followed by names that the process shows', () => {
    for (const start of ['process_', 'nodejs_']) {
      assert.ok(OF_PROCESS.some(({ name }) => name.startsWith(start)));
    }
  });
});

describe('the board and the alerts', () => {
  it('are found', () => {
    assert.ok(PANELS.length > 20, `${PANELS.length} panels`);
    assert.ok(RULES.length > 10, `${RULES.length} alerts`);
  });

  for (const [where, query] of QUERIES) {
    it(`ask for what is there, in ${where}`, () => {
      assert.deepEqual(lostIn(query), []);
    });
  }

  it('that ask for something else are found out', () => {
    assert.deepEqual(lostIn('sum by (channel) (rate(holdpoint_no_such_total[5m]))'), [
      'holdpoint_no_such_total',
    ]);
    assert.deepEqual(lostIn('holdpoint_questions_open{space="a"}'), ['space']);
    assert.deepEqual(lostIn('holdpoint_journal_lag_seconds'), ['holdpoint_journal_lag_seconds']);
    assert.match(lostIn('sum(rate(up[5m)').join(), /^cannot be read at \d+/);
  });

  it('name in a legend only what the query keeps', () => {
    for (const { title, targets = [] } of PANELS) {
      for (const { expr, legendFormat } of targets) {
        const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
        const kept = [...usedIn(expr.replaceAll('$__rate_interval', '5m')).labels, 'instance'];
        assert.deepEqual(
          labels.filter((label = '') => !kept.includes(label)),
          [],
          title,
        );
      }
    }
  });

  it('say of each alert what to do', () => {
    for (const { alert, annotations } of RULES) {
      assert.match(alert, /^Holdpoint[A-Z]\w+$/);
      assert.match(annotations.todo, /^[A-Z].{20,}\.$/, alert);
    }
  });

  it('show every metric of API and worker', () => {
    const used = new Set(QUERIES.flatMap(([, query]) => usedIn(query).names));
    const unused = OWN.filter((metric) => !seriesOf(metric).some((name) => used.has(name)));
    assert.deepEqual(unused, []);
  });
});
