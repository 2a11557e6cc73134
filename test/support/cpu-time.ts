/** How often work is measured at most: other processes may disturb some of these, hardly all. */
const TIMES = 20;

/**
 * Returns the least CPU time (ms) that work took in some runs of it, which a busy machine hardly changes.
 *
 * @param enough - less than this ends the measuring, for nothing more is asked
 */
export function leastCpuMs(work: () => unknown, enough: number): number {
  let least = Infinity;
  for (let run = 0; run < TIMES && least >= enough; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
