import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import type { Read } from '../../parts/caller.js';
import type { Parts } from '../../parts/index.js';
import { demandEntityId, interrupted } from '../../parts/refusals.js';
import type { Listening } from '../../parts/reads/question-news.js';
import { READ, useCase, type Call } from '../usecase.js';
import { readerFor } from '../visibility.js';
import { concerning } from './read.js';

/** The first pause after an attempt that is late, and the longest: each is twice as long as the one before. */
const LATE_MS = { first: 1_000, longest: 60_000 };
/** The pauses between reads of a workflow that does not answer, while the feed cannot be read. */
const UNHEARD_MS = { first: 250, longest: 5_000 };

interface SuspensionWait {
  readonly timeoutSeconds: number;
  /** The last attempt that the caller has seen: a later one ends the wait. */
  readonly afterAttempt?: number;
  readonly signal: AbortSignal;
}

type Bounded = Omit<SuspensionWait, 'timeoutSeconds'> & { readonly deadline: number };

/**
 * Waits until the suspension is settled or an attempt after `afterAttempt` is due, or returns the pending view after
 * `timeoutSeconds`. A caller who goes away is refused with `workflow_unavailable`.
 */
export const waitForSuspension = useCase({
  name: 'waitForSuspension',
  resource: 'suspension',
  refusals: ['too_many_long_polls', ...READ],
  async run(call: Call, id: string, wait: SuspensionWait): Promise<Read<SuspensionView>> {
    demandEntityId('suspension', id);
    const deadline = call.parts.clock.now() + wait.timeoutSeconds * 1_000;
    // It listens before it reads: what happens in between is news.
    const listening = await call.parts.news.listen(id);
    try {
      const first = await listening.read();
      const concerned = (read: Promise<Read<SuspensionView>>) =>
        concerning(call, 'waitForSuspension', read);
      // A refusal at the end would say when the question ended, also to callers who may not read it.
      if (readerFor(call)?.own) await concerned(Promise.resolve(first));
      return await concerned(waited(call.parts, listening, first, { ...wait, deadline }));
    } catch (error) {
      throw wait.signal.aborted ? interrupted(error) : error;
    } finally {
      listening.leave();
    }
  },
});

/**
 * Listens to the feed and to this process, and asks Temporal only if an attempt is late. Throws what reading the suspension
 * throws, and the signal's reason when the caller goes away.
 */
async function waited(
  parts: Parts,
  listening: Listening,
  first: Read<SuspensionView>,
  wait: Bounded,
): Promise<Read<SuspensionView>> {
  const { clock, questionRows } = parts;
  const { deadline } = wait;
  const late = growing(LATE_MS);
  for (let read = first; ; read = await listening.read()) {
    wait.signal.throwIfAborted();
    const now = clock.now();
    if (isDue(read.value, wait.afterAttempt) || now >= deadline) return read;
    const due = attemptDue(read.value, wait);
    const ms = due === undefined ? Infinity : Math.max(0, due - now) + late.ms;
    const heard = await listening.next(Math.min(ms, deadline - now), wait.signal);
    if (heard === 'deaf') return heardOfTemporal(parts, read, wait);
    // Temporal knows the outcome, whether the store shows it or not.
    if (heard === 'settled_here' && !(await questionRows.writeForWaiter(listening.id)))
      listening.doubt();
    if (heard !== undefined || clock.now() >= deadline) continue;
    listening.doubt();
    late.grow();
  }
}

/**
 * Waits on the workflow while the feed cannot be read. It reads again only if an attempt is late, a run hands over,
 * or nobody answers, after pauses that grow from 250 ms to 5 s.
 */
async function heardOfTemporal(
  { clock, outcomes, reads, settlements }: Parts,
  last: Read<SuspensionView>,
  wait: Bounded,
): Promise<Read<SuspensionView>> {
  const { id } = last.value;
  const { deadline } = wait;
  const unheard = growing(UNHEARD_MS);
  for (let read = last; ; read = await reads.getSuspension(id)) {
    wait.signal.throwIfAborted();
    const started = clock.now();
    if (isDue(read.value, wait.afterAttempt) || started >= deadline) return read;
    const due = attemptDue(read.value, wait) ?? Infinity;
    const ms = Math.min(deadline, Math.max(started + unheard.ms, due)) - started;
    const heard = await outcomes.listen(id, ms, wait.signal);
    if (heard.kind === 'settled') {
      settlements.touch(id, 'settled');
      return { value: viewAt(heard.view, clock.now()), stale: false };
    }
    const rest = Math.min(started + unheard.ms, deadline) - clock.now();
    if (heard.kind === 'ask_again' && rest > 0) await clock.sleep(rest, wait.signal);
    unheard.grow();
  }
}

function growing({ first, longest }: { readonly first: number; readonly longest: number }) {
  const pause = {
    ms: first,
    grow(): void {
      pause.ms = Math.min(pause.ms * 2, longest);
    },
  };
  return pause;
}

function isDue({ state, attempt }: SuspensionView, afterAttempt: number | undefined): boolean {
  return state === 'settled' || (afterAttempt !== undefined && attempt > afterAttempt);
}

/** Returns when the awaited attempt is due (ms); undefined if none is awaited. */
function attemptDue(
  { next_attempt_at }: SuspensionView,
  { afterAttempt }: Bounded,
): number | undefined {
  if (afterAttempt === undefined || next_attempt_at === null) return undefined;
  return toMillis(next_attempt_at);
}
