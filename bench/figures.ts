import type { BenchStack } from './bench-stack.js';
import type { ClientsPoint } from './clients.js';
import { Watch, readClocks, type Foreign } from './foreign.js';
import type { InboxFigure } from './inbox.js';
import { measureLatencies, type Latencies } from './latency.js';
import type { MemoryPoint } from './memory.js';
import type { PageFigure } from './page.js';
import type { PathName } from './paths.js';
import { measureCosts, type Costs } from './question-costs.js';
import { measureThroughput, type Throughput } from './throughput.js';

/** What can be measured of any version, on any database. */
export interface VersionFigures {
  readonly costs?: Costs;
  readonly latencies?: Latencies;
  readonly throughput?: Throughput;
  /** Of each part that was measured, the share of the machine's CPU that went to none of ours. */
  readonly foreign?: Foreign;
}

/** What is measured of today's code on one database; parts that the run was not asked for are left out. */
export interface DatabaseFigures extends VersionFigures {
  readonly clients?: readonly ClientsPoint[];
  readonly events?: { readonly attempt_1: number; readonly attempt_3: number };
  readonly memory?: readonly MemoryPoint[];
  readonly inbox?: readonly InboxFigure[];
  readonly page?: readonly PageFigure[];
}

/** All that one run has measured. */
export interface Figures extends DatabaseFigures {
  readonly against?: { readonly commit: string; readonly figures: VersionFigures };
  readonly postgres?: DatabaseFigures;
}

/** The parts of a run, in their order. */
export const PARTS = [
  'cost',
  'latency',
  'throughput',
  'clients',
  'history',
  'inbox',
  'page',
  'memory',
] as const;
export type Part = (typeof PARTS)[number];

export interface Measure {
  readonly parts: ReadonlySet<Part>;
  /** Rounds of each cost and latency. */
  readonly rounds: number;
  /** Questions of each kind of work at each number of clients. */
  readonly questions: number;
  /** Open questions with which the list is measured; the page with the first of them. */
  readonly rows: readonly number[];
  /** Open questions with which memory is measured. */
  readonly open: readonly number[];
  readonly say: (text: string) => void;
  /** The paths whose cost is measured; all unless given. */
  readonly paths?: readonly PathName[];
}

/** Measures costs, latencies and throughput of a running stack. */
export async function measureVersion(
  bench: BenchStack,
  { parts, rounds, questions, say, paths }: Measure,
): Promise<VersionFigures> {
  const figures: { -readonly [Name in keyof VersionFigures]: VersionFigures[Name] } = {};
  const watch = watchOf(bench);
  if (parts.has('cost')) {
    say(`  cost of ${rounds} questions on each path`);
    figures.costs = await watch.part('cost', () => measureCosts(bench, rounds, paths));
  }
  if (parts.has('latency')) {
    say(`  latencies, ${rounds} rounds`);
    figures.latencies = await watch.part('latency', () => measureLatencies(bench, rounds));
  }
  if (parts.has('throughput')) {
    say(`  throughput, ${questions} questions of each kind`);
    figures.throughput = await watch.part('throughput', () => measureThroughput(bench, questions));
  }
  return { ...figures, foreign: watch.foreign };
}

/** Watches the machine while parts of a run are measured with a stack. */
export function watchOf(bench: BenchStack): Watch {
  return new Watch(() => readClocks(bench));
}
