/** How often work is measured: another process may disturb one time, hardly each. */
const TIMES = 5;

/** Returns the least CPU time (ms) that work took in some runs of it, which a busy machine hardly changes. */
export function leastCpuMs(work: () => unknown, times = TIMES): number {
  let least = Infinity;
  for (let run = 0; run < times; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
