import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStack } from './bench-stack.js';
import { measureBesides, type BesidesCosts } from './besides.js';
import { CarriedOut, type Looks } from './carried-out.js';
import { foreignBetween, readClocks, type BenchProcess } from './foreign.js';
import { PATHS, ROUNDS, type PathName } from './paths.js';
import { growth, less, total, type Counts } from './server-metrics.js';
import { readServerCounts, type ServerCounts } from './server-counts.js';

/** What was done in some time: counters of the server, and CPU milliseconds where they are known. */
export interface Spent extends ServerCounts {
  readonly ms: number;
  readonly cpu: Readonly<Partial<Record<BenchProcess, number>>>;
}

/** What a path costs per question, less what the stack does by itself in the same time and less the looks. */
export interface PathCost extends Spent {
  readonly rounds: number;
  /** Looks at Temporal and the store per question. */
  readonly looks: Readonly<Looks>;
  /** Changes and workflow tasks of the questions' own workflows, as these themselves have counted them. */
  readonly own: OwnCounts;
  /** The share of the machine's CPU that went to none of ours; undefined where it is unknown. */
  readonly foreign: number | undefined;
}

export interface OwnCounts {
  readonly writes: number;
  readonly tasks: number;
}

export interface Costs {
  readonly paths: Readonly<Partial<Record<PathName, PathCost>>>;
  /** What the stack does when nobody asks anything, a second. */
  readonly idle: Spent & { readonly foreign: number | undefined };
  /** CPU milliseconds that one look costs whom it asks. */
  readonly look: Readonly<Looks>;
  /** Billed actions of what a question may do besides; undefined where it was not measured. */
  readonly besides?: BesidesCosts;
}

const IDLE_MS = 20_000;
const LOOKS = 500;
/** Between two looks at the counters of a stack that is coming to rest, and the looks that may be needed. */
const REST_MS = 1_000;
const REST_LOOKS = 30;

/** Measures each path with so many questions, one at a time. */
export async function measureCosts(
  bench: BenchStack,
  rounds: number,
  names: readonly PathName[] = Object.keys(PATHS) as PathName[],
): Promise<Costs> {
  const carriedOut = new CarriedOut(bench);
  try {
    for (const name of names) await repeat(rounds / 10, () => ROUNDS[name](bench, carriedOut));
    const meter = new Meter(bench);
    await untilAtRest(meter);
    const idle = await meter.measure(() => pause(IDLE_MS));
    const look = await costOfLook(bench, carriedOut, meter);
    const paths: Partial<Record<PathName, PathCost>> = {};
    for (const name of names) {
      carriedOut.looks = { server: 0, store: 0 };
      const ids: string[] = [];
      const spent = await meter.measure(() =>
        repeat(rounds, async () => void ids.push(...(await ROUNDS[name](bench, carriedOut)))),
      );
      const { server, store } = carriedOut.looks;
      const looks = { server: server / rounds, store: store / rounds };
      const perQuestion = scaled(without(spent, idle), 1 / rounds);
      const cpu = withoutLooks(perQuestion.cpu, look, looks);
      const own = await ownCounts(bench, ids, rounds);
      paths[name] = { ...perQuestion, cpu, rounds, looks, own, foreign: spent.foreign };
    }
    const { standalone, intent } = paths;
    const isWhole = standalone !== undefined && intent !== undefined;
    const besides = isWhole && (await measureBesides({ bench, carriedOut, meter, idle }));
    return {
      paths,
      idle: { ...scaled(idle, 1_000 / idle.ms), foreign: idle.foreign },
      look,
      ...(besides && { besides }),
    };
  } finally {
    await carriedOut.close();
  }
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await work();
}

/** Until the server has written nothing for a while: a stack that has just started has more to do. */
async function untilAtRest(meter: Meter): Promise<void> {
  for (let looks = 0; looks < REST_LOOKS; looks += 1) {
    const { writes } = await meter.measure(() => pause(REST_MS));
    if (total(writes) === 0) return;
  }
  throw new Error('the stack does not come to rest');
}

/** What the workflows say of themselves, which counts nothing that went on beside them. */
async function ownCounts(
  { temporal }: BenchStack,
  ids: readonly string[],
  rounds: number,
): Promise<OwnCounts> {
  let [writes, tasks] = [0, 0];
  for (const id of ids) {
    const handle = temporal.workflow.getHandle(id);
    const { raw } = await handle.describe();
    writes += Number(raw.workflowExecutionInfo?.stateTransitionCount ?? NaN);
    const { events } = await handle.fetchHistory();
    tasks += (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes).length;
  }
  return { writes: writes / rounds, tasks: tasks / rounds };
}

/** Looks cost the server and the store CPU, which no question has asked for. */
async function costOfLook(bench: BenchStack, carriedOut: CarriedOut, meter: Meter): Promise<Looks> {
  const { id } = await bench.ask();
  await carriedOut.opened(id);
  const costs: Looks = { server: NaN, store: NaN };
  for (const at of ['server', 'store'] as const) {
    const { cpu } = await meter.measure(() => repeat(LOOKS, () => carriedOut.look(at, id)));
    costs[at] = (cpu[at] ?? NaN) / LOOKS;
  }
  await bench.answer(id);
  await carriedOut.settled(id);
  return costs;
}

function withoutLooks(cpu: Counts, look: Looks, looks: Looks): Counts {
  const entries = Object.entries(cpu).map(([name, ms]) => {
    const isAsked = name === 'server' || name === 'store';
    return [name, isAsked ? ms - look[name] * looks[name] : ms] as const;
  });
  return Object.fromEntries(entries);
}

/** Reads counters and clocks before and after work. */
export class Meter {
  readonly #bench: BenchStack;

  constructor(bench: BenchStack) {
    this.#bench = bench;
  }

  /** What the work has cost, together with all that went on beside it. */
  async measure(
    work: () => Promise<unknown>,
  ): Promise<Spent & { readonly foreign: number | undefined }> {
    const counted = await readServerCounts(this.#bench.server.metricsUrl);
    const before = await readClocks(this.#bench);
    await work();
    const after = await readClocks(this.#bench);
    const recounted = await readServerCounts(this.#bench.server.metricsUrl);
    return {
      ms: after.ms - before.ms,
      writes: growth(counted.writes, recounted.writes),
      visibility: growth(counted.visibility, recounted.visibility),
      others: growth(counted.others, recounted.others),
      tasks: growth(counted.tasks, recounted.tasks),
      activities: growth(counted.activities, recounted.activities),
      actions: growth(counted.actions, recounted.actions),
      cpu: cpuBetween(before.cpu, after.cpu),
      foreign: foreignBetween(before, after),
    };
  }
}

function cpuBetween(before: Counts, after: Counts): Counts {
  const names = Object.keys(after).filter((name) => name in before);
  return Object.fromEntries(
    names.map((name) => [name, (after[name] ?? NaN) - (before[name] ?? NaN)]),
  );
}

/** What is left when the stack's own doings in the same time are taken off. */
export function without(spent: Spent, idle: Spent): Spent {
  const factor = spent.ms / idle.ms;
  return {
    ms: spent.ms,
    writes: less(spent.writes, idle.writes, factor),
    visibility: less(spent.visibility, idle.visibility, factor),
    others: less(spent.others, idle.others, factor),
    tasks: less(spent.tasks, idle.tasks, factor),
    activities: less(spent.activities, idle.activities, factor),
    actions: less(spent.actions, idle.actions, factor),
    cpu: less(spent.cpu, idle.cpu, factor),
  };
}

/** All figures times `factor`. */
export function scaled(spent: Spent, factor: number): Spent {
  return {
    ms: spent.ms * factor,
    writes: scaledCounts(spent.writes, factor),
    visibility: scaledCounts(spent.visibility, factor),
    others: scaledCounts(spent.others, factor),
    tasks: scaledCounts(spent.tasks, factor),
    activities: scaledCounts(spent.activities, factor),
    actions: scaledCounts(spent.actions, factor),
    cpu: scaledCounts(spent.cpu, factor),
  };
}

function scaledCounts(counts: Counts, factor: number): Counts {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, value * factor]));
}
