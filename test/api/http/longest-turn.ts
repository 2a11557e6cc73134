import { setImmediate as turn } from 'node:timers/promises';

type Used = Pick<NodeJS.CpuUsage, 'user' | 'system'>;
/** Older versions of Node cannot tell what one thread has used. */
const { threadCpuUsage = () => process.cpuUsage() } = process as { threadCpuUsage?: () => Used };

/** Microseconds that this process has computed so far: the main thread alone, where Node can tell. */
function computed(): number {
  const { user, system } = threadCpuUsage();
  return user + system;
}

/**
 * Runs some work, and measures for how many milliseconds of computing the event loop did not turn at most. What other
 * programs of the machine compute does not count.
 */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  const over = { is: false };
  let longest = 0;
  const watch = async (): Promise<void> => {
    let last = computed();
    while (!over.is) {
      await turn();
      const now = computed();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watching = watch();
  const result = await work().finally(() => {
    over.is = true;
  });
  await watching;
  return { result, ms: Math.round(longest / 1_000) };
}
