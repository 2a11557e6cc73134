import type { ClientsPoint } from './clients.js';
import { costsAsMarkdown, milliseconds, percent } from './cost-report.js';
import type { DatabaseFigures, Figures, VersionFigures } from './figures.js';
import { PROCESSES, type Foreign } from './foreign.js';
import { LATENCIES, type LatencyName } from './latency.js';
import type { PageFigure } from './page.js';
import { total } from './server-metrics.js';
import { percentile } from './statistics.js';
import { table } from './tables.js';
import { targetsOf } from './targets.js';
import { CLIENTS, PHASES, type Throughput, type WorkName } from './throughput.js';

export const WORK: Readonly<Record<WorkName, string>> = {
  bare: 'bare workflow',
  standalone: 'a question of its own',
  intent: 'an intent asks and goes on',
  agent: 'an agent that is a workflow',
};

/** The figures as Markdown tables. */
export function asMarkdown(figures: Figures): string {
  const { against, postgres } = figures;
  return [
    ...databaseTables(figures),
    ...(against ? [`## ${against.commit}\n`, ...versionTables(against.figures)] : []),
    '## Targets\n',
    targetTable(figures),
    ...(postgres
      ? [
          '## On PostgreSQL\n',
          ...databaseTables(postgres),
          '### Targets on PostgreSQL\n',
          targetTable(postgres),
        ]
      : []),
  ].join('\n');
}

function databaseTables(figures: DatabaseFigures): string[] {
  const { clients, events, memory, inbox, page } = figures;
  return [
    ...versionTables(figures),
    ...(clients === undefined ? [] : [clientsTable(clients)]),
    ...(events === undefined
      ? []
      : [
          table(
            ['history of a suspension', 'events'],
            [
              ['answered in attempt 1', String(events.attempt_1)],
              ['answered in attempt 3', String(events.attempt_3)],
            ],
          ),
        ]),
    ...(memory === undefined
      ? []
      : [
          table(
            ['open suspensions', "the worker's memory"],
            memory.map(({ open, mib }) => [String(open), `${whole(mib)} MiB`]),
          ),
        ]),
    ...(inbox === undefined
      ? []
      : [
          table(
            ['inbox, open rows', 'request', 'p50', 'p95'],
            inbox.map(({ rows, query, p50, p95 }) => [String(rows), query, ms(p50), ms(p95)]),
          ),
        ]),
    ...(page === undefined ? [] : [pageTable(page)]),
  ];
}

function pageTable(page: readonly PageFigure[]): string {
  const rows = page.map(({ rows: open, step, long, longest, cpu }) => [
    String(open),
    step,
    String(long),
    ms(longest),
    ms(cpu),
  ]);
  return table(
    ['page of the inbox, open rows', 'step', 'tasks over 50 ms', 'longest', 'most CPU of one'],
    rows,
  );
}

function versionTables({ latencies, throughput, costs, foreign }: VersionFigures): string[] {
  const names = Object.keys(LATENCIES) as LatencyName[];
  const samples = (name: LatencyName) => latencies?.[name] ?? [];
  const latency = names.map((name) => [
    LATENCIES[name],
    ms(percentile(samples(name), 0.5)),
    ms(percentile(samples(name), 0.95)),
  ]);
  return [
    ...(latencies ? [table(['one at a time', 'p50', 'p95'], latency)] : []),
    ...(throughput ? [throughputTable(throughput), spentTable(throughput)] : []),
    ...(costs ? [costsAsMarkdown(costs)] : []),
    ...(foreign ? [foreignTable(foreign)] : []),
  ];
}

/** Figures of a machine that others have used much say little. */
function foreignTable(foreign: Foreign): string {
  const rows = Object.entries(foreign).map(([part, share]) => [part, percent(share)]);
  return table(['how far from idle the machine was, in', 'CPU of others'], rows);
}

/** With many clients a question costs more or less than alone: Temporal takes what comes together as one. */
function spentTable({ spent }: Throughput): string {
  const head = [`per question, ${CLIENTS} clients`, 'writes', 'workflow tasks', 'activities'];
  const cpu = PROCESSES.map((name) => `CPU ms, ${name}`);
  const names = Object.keys(PHASES) as WorkName[];
  const rows = names.flatMap((name) => {
    const one = spent[name];
    if (one === undefined) return [];
    const counts = [one.writes, one.tasks, one.activities].map((all) => total(all).toFixed(1));
    return [[WORK[name], ...counts, ...PROCESSES.map((process) => milliseconds(one.cpu[process]))]];
  });
  return table([...head, ...cpu], rows);
}

function throughputTable({ rates, busy, leftOut }: Throughput): string {
  const names = Object.keys(PHASES) as WorkName[];
  const cell = (value: number | undefined): string => (value === undefined ? '' : whole(value));
  const rows = names.map((name) => {
    const reason = leftOut[name];
    if (reason !== undefined) return [WORK[name], `left out: ${reason}`, '', ''];
    const { creations, opens, answers } = rates[name] ?? {};
    return [WORK[name], cell(creations), cell(opens), cell(answers)];
  });
  const head = [`a second, ${CLIENTS} clients`, 'intents created', 'opened', 'answered'];
  return `${table(head, rows)}\nToo busy, and asked again: ${busy} times.\n`;
}

function clientsTable(points: readonly ClientsPoint[]): string {
  const head = ['answered a second, with', ...points.map(({ clients }) => clientsText(clients))];
  const names = Object.keys(PHASES) as WorkName[];
  const rows = names.map((name) => [
    WORK[name],
    ...points.map(({ rates }) => (rates[name]?.answers ?? NaN).toFixed(1)),
  ]);
  return table(head, rows);
}

function clientsText(clients: number): string {
  return clients === 1 ? '1 client' : `${clients} clients`;
}

function targetTable(figures: Figures): string {
  const rows = targetsOf(figures).map(({ name, value, bound, side }) => [
    name,
    value === undefined ? 'not measured' : value.toFixed(2),
    `${side} ${bound}`,
  ]);
  return table(['figure', 'reached', 'target'], rows);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function whole(value: number): string {
  return value.toFixed(0);
}
