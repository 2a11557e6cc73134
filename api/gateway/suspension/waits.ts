import type { Client } from '@temporalio/client';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension-view.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { viewAt } from '../../../domain/suspension/view.js';
import { outcomeUpdate } from '../../../workflows/suspension/messages.js';
import type { Read } from '../caller.js';
import { callTemporal } from '../calls/call.js';
import { DeadlinePassed, withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import { classify } from '../calls/failures.js';
import type { Reads } from '../intent/reads.js';
import type { Settlements } from './inbox.js';

/** The longest that one shared call lasts; whoever still waits then asks again. */
const SHARED_MS = 300_000;

/** The result of waiting for an outcome. */
export type Heard =
  | { readonly kind: 'settled'; readonly view: LiveView }
  /** The run hands over, is closed, or does not answer: read the suspension, then listen again. */
  | { readonly kind: 'ask_again' }
  | { readonly kind: 'time_up' };

interface Shared {
  readonly heard: Promise<Heard>;
  readonly left: AbortController;
  listeners: number;
}

/**
 * Waits on the Update `outcome`. All who wait for one suspension in this process share one call, which ends when its
 * last listener leaves; all calls share one update id.
 */
export class Outcomes {
  private readonly shared = new Map<string, Shared>();
  private readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  private readonly clock: Clock;
  private readonly space: string;

  constructor(
    client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
    clock: Clock,
    space: string = DEFAULT_SPACE,
  ) {
    this.client = client;
    this.clock = clock;
    this.space = space;
  }

  /**
   * Waits at most `ms` for a suspension to settle. Throws the signal's reason when the caller
   * leaves, and failures of the call that are not temporary.
   */
  async listen(suspensionId: string, ms: number, signal: AbortSignal): Promise<Heard> {
    const entry = this.join(suspensionId);
    try {
      return await withinDeadline(this.clock, ms, () => entry.heard, signal);
    } catch (error) {
      if (error instanceof DeadlinePassed) return { kind: 'time_up' };
      throw error;
    } finally {
      entry.listeners -= 1;
      if (entry.listeners === 0) {
        this.forget(suspensionId, entry);
        entry.left.abort();
      }
    }
  }

  private join(suspensionId: string): Shared {
    const running = this.shared.get(suspensionId);
    if (running) {
      running.listeners += 1;
      return running;
    }
    const left = new AbortController();
    const heard = this.call(suspensionId, left.signal).finally(() => {
      this.forget(suspensionId, entry);
    });
    const entry: Shared = { heard, left, listeners: 1 };
    this.shared.set(suspensionId, entry);
    return entry;
  }

  private forget(suspensionId: string, entry: Shared): void {
    if (this.shared.get(suspensionId) === entry) this.shared.delete(suspensionId);
  }

  private async call(suspensionId: string, left: AbortSignal): Promise<Heard> {
    const { client, clock, space } = this;
    const handle = client.workflow.getHandle(workflowIdOf('suspension', suspensionId, space));
    const execute = () => handle.executeUpdate(outcomeUpdate, { updateId: OUTCOME_UPDATE_ID });
    try {
      const outcome = await callTemporal(client, clock, {
        ms: SHARED_MS,
        caller: left,
        rpc: execute,
      });
      return outcome.moved ? { kind: 'ask_again' } : { kind: 'settled', view: outcome.view };
    } catch (error) {
      const over = error instanceof DeadlinePassed || left.aborted;
      if (over || classify(error).kind !== 'unknown') return { kind: 'ask_again' };
      throw error;
    }
  }
}

/** The shortest time between two reads of one suspension, however late an attempt comes. */
const LEAST_MS = 250;

export interface WaitOptions {
  readonly timeoutSeconds: number;
  readonly afterAttempt?: number;
  /** Ends the wait when the caller goes away. */
  readonly signal: AbortSignal;
}

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
 * due, or after `timeoutSeconds` with the pending view. It listens and does not poll. Only if an
 * attempt is late, a run hands over, or nobody answers, it looks again in between (250 ms apart).
 * Throws what `getSuspension` throws, and the signal's reason when the caller goes away.
 */
export function createWaits(
  reads: Pick<Reads, 'getSuspension'>,
  outcomes: Pick<Outcomes, 'listen'>,
  clock: Clock,
  settlements: Pick<Settlements, 'touch'>,
) {
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
        return { value: viewAt(heard.view, clock.now()), stale: false };
      }
      if (heard.kind === 'ask_again') {
        const rest = Math.min(started + LEAST_MS, deadline) - clock.now();
        if (rest > 0) await clock.sleep(rest, options.signal);
      }
    }
  }
  return { waitForSuspension };
}
