import { readFile, readdir } from 'node:fs/promises';

/** Ticks of the kernel's clock in a second, for programs, on every Linux of today. */
const TICKS = 100;

/** The CPU time of a process, from the text of `/proc/<pid>/stat`, in milliseconds; ended children included. */
export function cpuMsOfStat(text: string): number {
  // The name, in brackets, may hold spaces and brackets itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  const ticks = (user ?? NaN) + (system ?? NaN) + (childrenUser ?? NaN) + (childrenSystem ?? NaN);
  return (ticks * 1_000) / TICKS;
}

/**
 * The CPU time of a process and of all it started, in milliseconds since its start. Undefined where there is
 * no `/proc`, or no such process.
 */
export async function cpuMs(pid: number): Promise<number | undefined> {
  try {
    const own = cpuMsOfStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    const children = await Promise.all((await childrenOf(pid)).map(cpuMs));
    return children.reduce<number>((sum, ms) => sum + (ms ?? 0), own);
  } catch {
    return undefined;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
  );
  const words = (await Promise.all(lists)).flatMap((list) => list.split(/\s+/));
  return words.filter((word) => word !== '').map(Number);
}

/** All CPU time of the machine, in milliseconds since it started. */
export interface MachineTime {
  readonly busy: number;
  readonly all: number;
}

/** The machine's CPU time from the text of `/proc/stat`. */
export function machineTimeOf(text: string): MachineTime {
  const line = /^cpu +(\d.*)$/m.exec(text)?.[1] ?? '';
  // user nice system idle iowait irq softirq steal; guests are in user already
  const ticks = line.split(/\s+/).map(Number).slice(0, 8);
  const all = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? NaN) + (ticks[4] ?? NaN);
  return { busy: ((all - idle) * 1_000) / TICKS, all: (all * 1_000) / TICKS };
}

/** The machine's CPU time; undefined where there is no `/proc`. */
export async function machineTime(): Promise<MachineTime | undefined> {
  try {
    return machineTimeOf(await readFile('/proc/stat', 'utf8'));
  } catch {
    return undefined;
  }
}
