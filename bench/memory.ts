import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { BenchStack } from './bench-stack.js';
import { CLIENTS } from './throughput.js';
import { percentile, rateOf } from './statistics.js';

const SAMPLES = 10;
const BETWEEN_MS = 1_000;

/** The worker's resident memory, in MiB, with so many open suspensions. */
export interface MemoryPoint {
  readonly open: number;
  readonly mib: number;
}

/** Opens suspensions on a stack of its own and looks at the worker at each of the counts. */
export async function measureMemory(counts: readonly number[]): Promise<MemoryPoint[]> {
  const bench = await BenchStack.start();
  try {
    const points: MemoryPoint[] = [];
    let open = 0;
    for (const count of counts) {
      await rateOf(count - open, CLIENTS, async () => bench.open(await bench.createIntent()));
      open = count;
      points.push({ open, mib: await settledMemory(bench.stack.pids().worker ?? NaN) });
    }
    return points;
  } finally {
    await bench.close();
  }
}

/** The median over a while in which nothing is asked of the worker. */
async function settledMemory(pid: number): Promise<number> {
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
