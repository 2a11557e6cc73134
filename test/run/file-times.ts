/** How long a file of tests took. */
export interface FileTime {
  readonly file: string;
  readonly wall_s: number;
  /** Of the process that runs mocha; its servers are not in it. */
  readonly cpu_s: number;
}

/** Sums what time this process spends on each file; a file may come again. */
export function stopwatch(): { turnTo(file: string): void; stop(): readonly FileTime[] } {
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
  return {
    turnTo(file) {
      close();
      current = { file, began: performance.now(), cpu: process.cpuUsage() };
    },
    stop() {
      close();
      current = undefined;
      return [...spent].map(([file, { wall, cpu }]) => ({
        file,
        wall_s: wall / 1_000,
        cpu_s: cpu / 1_000,
      }));
    },
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
