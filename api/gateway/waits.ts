import type { SuspensionView } from '../../contracts/suspension-view.js';
import { toMillis } from '../../domain/time.js';
import type { Clock } from './clock.js';
import type { Outcomes } from './outcomes.js';
import type { Reads } from './reads.js';
import type { Settlements } from './settlements.js';
import type { Gateway, Read } from './types.js';

/** Between two looks at one suspension lies at least this, however late an attempt comes. */
const LEAST_MS = 250;

type WaitOptions = Parameters<Gateway['waitForSuspension']>[1];

function isDue({ state, attempt }: SuspensionView, afterAttempt: number | undefined): boolean {
  return state === 'settled' || (afterAttempt !== undefined && attempt > afterAttempt);
}

/** How long to listen before looking again: to the deadline, or to the attempt that is waited for. */
function pauseFor(
  view: SuspensionView,
  { afterAttempt }: WaitOptions,
  now: number,
  deadline: number,
): number {
  const left = deadline - now;
  if (afterAttempt === undefined || view.next_attempt_at === null) return left;
  return Math.min(left, Math.max(LEAST_MS, toMillis(view.next_attempt_at) - now));
}

/**
 * Long-poll on one suspension: returns when it is settled, when an attempt after `afterAttempt` is
 * due, or after `timeoutSeconds` with the pending view. It listens and does not poll; only where an
 * attempt is late, a run hands over, or nobody can be heard, it looks again in between (250 ms apart).
 * Throws what `getSuspension` throws, and the signal's reason when the caller goes away.
 */
export function createWaits(
  reads: Pick<Reads, 'getSuspension'>,
  outcomes: Pick<Outcomes, 'listen'>,
  clock: Clock,
  settlements: Pick<Settlements, 'touch'>,
): Pick<Gateway, 'waitForSuspension'> {
  async function waitForSuspension(
    suspensionId: string,
    options: WaitOptions,
  ): Promise<Read<SuspensionView>> {
    const deadline = clock.now() + options.timeoutSeconds * 1000;
    for (;;) {
      options.signal.throwIfAborted();
      const read = await reads.getSuspension(suspensionId);
      const started = clock.now();
      if (isDue(read.value, options.afterAttempt) || started >= deadline) return read;
      const ms = pauseFor(read.value, options, started, deadline);
      const heard = await outcomes.listen(suspensionId, ms, options.signal);
      if (heard.kind === 'settled') {
        settlements.touch(suspensionId, 'settled');
        return { value: heard.view, stale: false };
      }
      if (heard.kind === 'ask_again') {
        const rest = Math.min(started + LEAST_MS, deadline) - clock.now();
        if (rest > 0) await clock.sleep(rest, options.signal);
      }
    }
  }
  return { waitForSuspension };
}
