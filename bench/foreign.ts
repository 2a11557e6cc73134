import type { BenchStack } from './bench-stack.js';
import { cpuMs, machineTime, type MachineTime } from './cpu-time.js';

/** The processes of a stack, and the worker of the workflows beside it. */
export const PROCESSES = ['worker', 'server', 'api', 'store', 'beside'] as const;
export type BenchProcess = (typeof PROCESSES)[number];

/** CPU milliseconds of each process as far as they are known, those of all of ours, and the machine's. */
export interface Clocks {
  readonly cpu: Readonly<Record<string, number>>;
  /** With the bench itself. */
  readonly own: number;
  readonly machine: MachineTime | undefined;
  readonly ms: number;
}

export async function readClocks(bench: BenchStack): Promise<Clocks> {
  const { server, stack, besidePid } = bench;
  const { worker, api } = stack.pids();
  const pids = { worker, server: server.pid, api, store: bench.storePid(), beside: besidePid };
  const cpu: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) {
    const ms = pid === undefined ? undefined : await cpuMs(pid);
    if (ms !== undefined) cpu[name] = ms;
  }
  const mine = process.cpuUsage();
  const own = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  return {
    cpu,
    own: own + (mine.user + mine.system) / 1_000,
    machine: await machineTime(),
    ms: performance.now(),
  };
}

/** The share of the machine's CPU that went to none of ours between two looks; undefined where it is unknown. */
export function foreignBetween(
  before: Pick<Clocks, 'machine' | 'own'>,
  after: Pick<Clocks, 'machine' | 'own'>,
): number | undefined {
  if (before.machine === undefined || after.machine === undefined) return undefined;
  const busy = after.machine.busy - before.machine.busy;
  const all = after.machine.all - before.machine.all;
  return Math.max(0, busy - (after.own - before.own)) / all;
}

/** How far the machine was from idle while each part of a run was measured: what others took of its CPU, of 1. */
export type Foreign = Readonly<Record<string, number | undefined>>;

/** Measures parts of a run, and what others took of the CPU meanwhile. */
export class Watch {
  #foreign: Foreign = {};
  readonly #read: () => Promise<Pick<Clocks, 'machine' | 'own'>>;

  constructor(read: () => Promise<Pick<Clocks, 'machine' | 'own'>>) {
    this.#read = read;
  }

  /** The shares of the parts so far. */
  get foreign(): Foreign {
    return this.#foreign;
  }

  async part<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = await this.#read();
    const result = await work();
    this.#foreign = { ...this.#foreign, [name]: foreignBetween(before, await this.#read()) };
    return result;
  }
}
