/** How often work is measured at most: other processes may disturb some of these, hardly all. */
const TIMES = 20;

/** What the work of reference takes on the machine for which the bounds were chosen (ms of CPU). */
const REFERENCE_MS = 1.5;

/**
 * Returns the least CPU time (ms) that work took in some runs of it, as it would be on the machine for which the bounds were
 * chosen: a machine that is slower, or that others keep busy, takes as much longer for a known piece of work, which is
 * measured beside it.
 *
 * @param enough - less than this ends the measuring, for nothing more is asked
 */
export function leastCpuMs(work: () => unknown, enough: number): number {
  let least = Infinity;
  let reference = Infinity;
  for (let run = 0; run < TIMES && least >= enough; run += 1) {
    reference = Math.min(reference, cpuMs(knownWork), cpuMs(knownWork));
    least = Math.min(least, cpuMs(work) * (REFERENCE_MS / reference));
  }
  return least;
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function knownWork(): unknown {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    n,
    text: `text ${n}`,
    list: [n, n + 1],
  }));
  return JSON.parse(JSON.stringify(rows));
}
