import { writeFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Runner, Suite } from 'mocha';

/** Names the folder in which every mocha of a run notes how long its files took. */
export const TIMES = 'HOLDPOINT_TEST_TIMES';

/** How long a file of tests took. */
export interface FileTime {
  readonly file: string;
  readonly wall_s: number;
  /** Of the process that runs mocha; its servers are not in it. */
  readonly cpu_s: number;
}

/** What one mocha did. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly files: readonly FileTime[];
}

/** Notes the times of this process's files, where somebody asks for them. */
export function noteTimes(runner: Runner): void {
  const folder = process.env[TIMES];
  // A dry run, such as that of `npm run spec`, passes every test without running it.
  if (folder === undefined || process.argv.includes('--dry-run')) return;
  const spent = new Map<string, { wall: number; cpu: number }>();
  let current: { file: string; began: number; cpu: NodeJS.CpuUsage } | undefined;
  const close = (): void => {
    if (!current) return;
    const { user, system } = process.cpuUsage(current.cpu);
    const sum = spent.get(current.file) ?? { wall: 0, cpu: 0 };
    sum.wall += performance.now() - current.began;
    sum.cpu += (user + system) / 1_000;
    spent.set(current.file, sum);
  };
  runner.on('suite', (suite: Suite) => {
    if (suite.parent?.root !== true) return;
    close();
    const file = path.relative('.', suite.file ?? '');
    current = { file, began: performance.now(), cpu: process.cpuUsage() };
  });
  let passed = 0;
  let failed = 0;
  runner.on('pass', () => (passed += 1));
  runner.on('fail', () => (failed += 1));
  runner.once('end', () => {
    close();
    const files = [...spent].map(([file, { wall, cpu }]): FileTime => ({
      file,
      wall_s: wall / 1_000,
      cpu_s: cpu / 1_000,
    }));
    const tally: Tally = { passed, failed, files };
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(tally));
  });
}

/** The sum of what every mocha of a run noted. */
export async function sumTallies(folder: string): Promise<Tally> {
  const names = await readdir(folder);
  const all = await Promise.all(
    names.map(async (name) => {
      return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Tally;
    }),
  );
  const sum = (of: (tally: Tally) => number): number =>
    all.reduce((total, tally) => total + of(tally), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    files: all.flatMap(({ files }) => files),
  };
}

const SHOWN = 20;

/** A table of the files that took longest. */
export function slowest(files: readonly FileTime[]): string {
  const cell = (seconds: number): string => seconds.toFixed(1).padStart(7);
  const rows = [...files]
    .sort((one, other) => other.wall_s - one.wall_s)
    .slice(0, SHOWN)
    .map(({ file, wall_s, cpu_s }) => `${cell(wall_s)} ${cell(cpu_s)}  ${file}\n`);
  return `The slowest files (seconds, and CPU seconds of mocha's process):\n${rows.join('')}`;
}
