import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { workflowIdOf } from '../contracts/constants/names.js';
import { BenchStack, type BenchStackOptions } from './bench-stack.js';
import { CarriedOut } from './carried-out.js';
import { foreignBetween, readClocks } from './foreign.js';
import { percentile, rateOf } from './statistics.js';
import { CLIENTS } from './throughput.js';

const SAMPLES = 10;
const BETWEEN_MS = 1_000;
const COLLECTIONS = 3;
const COLLECTOR = fileURLToPath(new URL('collect-garbage.cjs', import.meta.url));

/** The worker's resident memory, in MiB, with so many open suspensions. */
export interface MemoryPoint {
  readonly open: number;
  readonly mib: number;
}

export interface Memory {
  readonly points: readonly MemoryPoint[];
  /** The share of the machine's CPU that went to none of ours; undefined where it is unknown. */
  readonly foreign: number | undefined;
}

/**
 * Opens suspensions on a stack of its own and looks at the worker at each of the counts, once it has carried out all
 * of them and has collected its garbage: what is left is what open questions need.
 */
export async function measureMemory(
  counts: readonly number[],
  options: BenchStackOptions = {},
): Promise<Memory> {
  const nodeOptions =
    `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(COLLECTOR)}`.trim();
  const bench = await BenchStack.start({ ...options, env: { NODE_OPTIONS: nodeOptions } });
  const carriedOut = new CarriedOut(bench);
  try {
    const points: MemoryPoint[] = [];
    const before = await readClocks(bench);
    let open = 0;
    for (const count of counts) {
      await openMore(bench, carriedOut, count - open);
      open = count;
      points.push({ open, mib: await settledMemory(bench.stack.pids().worker ?? NaN) });
    }
    return { points, foreign: foreignBetween(before, await readClocks(bench)) };
  } finally {
    await carriedOut.close();
    await bench.close();
  }
}

/** Opens suspensions, and waits until nothing is left to do for them. */
async function openMore(bench: BenchStack, carriedOut: CarriedOut, count: number): Promise<void> {
  const ids: string[] = [];
  const workflows: string[] = [];
  await rateOf(count, CLIENTS, async () => {
    const intentId = await bench.createIntent();
    const { id } = await bench.open(intentId);
    ids.push(id);
    workflows.push(workflowIdOf('intent', intentId), workflowIdOf('suspension', id));
  });
  await carriedOut.rows({ of: 'open questions', ids });
  await carriedOut.allAtRest(workflows);
}

/** The median over a while in which nothing is asked of the worker, after it has collected its garbage. */
async function settledMemory(pid: number): Promise<number> {
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    process.kill(pid, 'SIGUSR2');
    await pause(BETWEEN_MS);
  }
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await pause(BETWEEN_MS);
    samples.push(await residentMib(pid));
  }
  return percentile(samples, 0.5);
}

/** The resident memory of a process, in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kib === undefined) throw new Error(`the memory of process ${pid} cannot be read`);
  return Number(kib) / 1_024;
}
