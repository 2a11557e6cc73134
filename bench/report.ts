import type { InboxFigure } from './inbox.js';
import { LATENCIES } from './latency.js';
import type { Latencies, LatencyName } from './latency.js';
import type { MemoryPoint } from './memory.js';
import { percentile } from './statistics.js';
import type { Throughput } from './throughput.js';

/** All that one run has measured. */
export interface Figures {
  readonly latencies: Latencies;
  readonly bare: Throughput;
  readonly holdpoint: Throughput;
  readonly events: { readonly attempt_1: number; readonly attempt_3: number };
  readonly memory: readonly MemoryPoint[];
  readonly inbox: readonly InboxFigure[];
}

/** A ratio or count, and what it is meant to be. */
interface Target {
  readonly name: string;
  readonly value: number;
  readonly bound: number;
  readonly side: 'at most' | 'at least';
}

/** The figures that a change must not make worse, under the names of the JSON. */
export function targetsOf({ latencies, bare, holdpoint, events, memory }: Figures): Target[] {
  const p50 = (name: LatencyName): number => percentile(latencies[name], 0.5);
  const [few, many] = [memory.at(0)?.mib ?? NaN, memory.at(-1)?.mib ?? NaN];
  return [
    atMost('respond_ratio', p50('respond') / p50('bare'), 2.5),
    atMost('resume_http_ratio', p50('resume_http') / p50('bare'), 1.5),
    atMost('resume_temporal_ratio', p50('resume_temporal') / p50('bare'), 1.5),
    atLeast('opens_ratio', holdpoint.opens / bare.opens, 0.5),
    atLeast('answers_ratio', holdpoint.answers / bare.answers, 0.5),
    atMost('events_attempt_1', events.attempt_1, 36),
    atMost('memory_ratio', many / few, 1.2),
  ];
}

function atMost(name: string, value: number, bound: number): Target {
  return { name, value, bound, side: 'at most' };
}

function atLeast(name: string, value: number, bound: number): Target {
  return { name, value, bound, side: 'at least' };
}

/** One JSON object, on one line. */
export function asJson(figures: Figures): string {
  const ratios = targetsOf(figures).map(({ name, value }) => [name, rounded(value)] as const);
  const latency = Object.entries(figures.latencies).map(([name, samples]) => {
    const p = (share: number): number => rounded(percentile(samples, share));
    return [name, { p50_ms: p(0.5), p95_ms: p(0.95), samples: samples.length }] as const;
  });
  const { bare, holdpoint, events, memory, inbox } = figures;
  return JSON.stringify({
    ...Object.fromEntries(ratios),
    latency: Object.fromEntries(latency),
    per_second: { bare, holdpoint },
    events_attempt_3: events.attempt_3,
    memory,
    inbox,
  });
}

/** The figures as Markdown tables. */
export function asMarkdown(figures: Figures): string {
  const { latencies, bare, holdpoint, events, memory, inbox } = figures;
  const names = Object.keys(LATENCIES) as LatencyName[];
  const latency = names.map((name) => {
    const samples = latencies[name];
    return [LATENCIES[name], ms(percentile(samples, 0.5)), ms(percentile(samples, 0.95))];
  });
  return [
    table(['one at a time', 'p50', 'p95'], latency),
    table(
      ['a second, 32 clients', 'bare workflow', 'Holdpoint'],
      [
        ['opened', whole(bare.opens), whole(holdpoint.opens)],
        ['answered', whole(bare.answers), whole(holdpoint.answers)],
      ],
    ),
    table(
      ['history of a suspension', 'events'],
      [
        ['answered in attempt 1', String(events.attempt_1)],
        ['answered in attempt 3', String(events.attempt_3)],
      ],
    ),
    table(
      ['open suspensions', "the worker's memory"],
      memory.map(({ open, mib }) => [String(open), `${whole(mib)} MiB`]),
    ),
    table(
      ['inbox, open rows', 'request', 'p50', 'p95'],
      inbox.map(({ rows, query, p50, p95 }) => [String(rows), query, ms(p50), ms(p95)]),
    ),
    table(
      ['ratio', 'reached', 'target'],
      targetsOf(figures).map(({ name, value, bound, side }) => [
        name,
        String(rounded(value)),
        `${side} ${bound}`,
      ]),
    ),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function whole(value: number): string {
  return value.toFixed(0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
