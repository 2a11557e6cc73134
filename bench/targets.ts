import type { DatabaseFigures, Figures, VersionFigures } from './figures.js';
import type { LatencyName } from './latency.js';
import { total } from './server-metrics.js';
import { percentile } from './statistics.js';
import type { WorkName } from './throughput.js';

/** A ratio or count, and what it is meant to be. */
export interface Target {
  /** Its key in the JSON. */
  readonly name: string;
  /** Undefined where this run has not measured it. */
  readonly value: number | undefined;
  readonly bound: number;
  readonly side: 'at most' | 'at least';
}

/** The figures that a change must not make worse. */
export function targetsOf(figures: Figures): Target[] {
  const { latencies, costs, memory, against } = figures;
  const p50 = (name: LatencyName) => latencies && percentile(latencies[name], 0.5);
  const writes = (path: 'intent' | 'standalone' | 'agent') => sumOf(costs?.paths[path]?.writes);
  const tasks = (path: 'intent' | 'standalone' | 'agent') => sumOf(costs?.paths[path]?.tasks);
  return [
    atMost('respond_ratio', ratio(p50('respond'), p50('bare')), 2),
    atMost('resume_http_ratio', ratio(p50('resume_http'), p50('bare')), 1.3),
    atMost('resume_temporal_ratio', ratio(p50('resume_temporal'), p50('bare')), 2.2),
    atMost('writes_intent', writes('intent'), 18),
    atMost('tasks_intent', tasks('intent'), 7),
    atMost('writes_standalone', writes('standalone'), 7),
    atMost('tasks_standalone', tasks('standalone'), 3),
    atMost('writes_agent', writes('agent'), 17),
    atMost('tasks_agent', tasks('agent'), 6),
    ...(against === undefined ? [] : targetsAgainst(figures, against.figures)),
    atMost('memory_ratio', ratio(memory?.at(-1)?.mib, memory?.at(0)?.mib), 1.1),
  ];
}

function targetsAgainst(now: VersionFigures, then: VersionFigures): Target[] {
  return [
    atLeast('answers_intent_against', fasterIn('intent', now, then), 1.8),
    atLeast('answers_standalone_against', fasterIn('standalone', now, then), 4),
  ];
}

function fasterIn(work: WorkName, now: VersionFigures, then: VersionFigures): number | undefined {
  return ratio(now.throughput?.rates[work]?.answers, then.throughput?.rates[work]?.answers);
}

function ratio(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base;
}

function sumOf(counts: Readonly<Record<string, number>> | undefined): number | undefined {
  return counts && total(counts);
}

function atMost(name: string, value: number | undefined, bound: number): Target {
  return { name, value, bound, side: 'at most' };
}

function atLeast(name: string, value: number | undefined, bound: number): Target {
  return { name, value, bound, side: 'at least' };
}

/** One JSON object, on one line. What was not measured is null. */
export function asJson(figures: Figures): string {
  const { against, postgres } = figures;
  return JSON.stringify({
    ...withTargets(figures),
    // Far from 1, the machine was not the same for both versions, and their ratios mean little.
    ...(against && { bare_answers_against: rounded(fasterIn('bare', figures, against.figures)) }),
    ...(against && { against: { commit: against.commit, ...asRecord(against.figures) } }),
    ...(postgres && { postgres: withTargets(postgres) }),
  });
}

function withTargets(figures: DatabaseFigures): object {
  const { clients, events, memory, inbox, page } = figures;
  const targets = targetsOf(figures).map(({ name, value }) => [name, rounded(value)] as const);
  return {
    ...Object.fromEntries(targets),
    ...asRecord(figures),
    ...(events && { events_attempt_1: events.attempt_1, events_attempt_3: events.attempt_3 }),
    clients,
    memory,
    inbox,
    page,
  };
}

function asRecord({ latencies, throughput, costs, foreign = {} }: VersionFigures): object {
  const rates = throughput?.rates;
  const latency = Object.entries(latencies ?? {}).map(([name, samples]) => {
    const p = (share: number) => rounded(percentile(samples, share));
    return [name, { p50_ms: p(0.5), p95_ms: p(0.95), samples: samples.length }] as const;
  });
  const shares = Object.entries(foreign).map(([part, share]) => [part, rounded(share)] as const);
  return {
    cpu_of_others: Object.fromEntries(shares),
    answers_intent_per_s: rounded(rates?.intent?.answers),
    answers_standalone_per_s: rounded(rates?.standalone?.answers),
    answers_agent_per_s: rounded(rates?.agent?.answers),
    bare_answers_per_s: rounded(rates?.bare?.answers),
    latency: Object.fromEntries(latency),
    per_second: rates,
    per_question_at_32_clients: throughput?.spent,
    busy: throughput?.busy,
    left_out: throughput?.leftOut,
    costs,
  };
}

function rounded(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : Math.round(value * 100) / 100;
}
