import type { Client } from '@temporalio/client';
import type { Admission, Place } from './admission.js';
import { callTemporal, outcomeOf, type Outcome } from './call.js';
import { WRITE_MS, limitOf, type Clock } from './deadline.js';
import { isPassing, type WorkerSilence } from './failures.js';

export type TemporalClient = Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;

export interface Shared {
  readonly workerSilence?: WorkerSilence;
  /** Admits Updates and starts. */
  readonly admission?: Admission;
}

export interface To extends Required<Shared> {
  readonly client: TemporalClient;
  readonly clock: Clock;
  readonly space: string;
}

/** A write to a workflow, which waits for admission. */
export interface Turn<T> {
  readonly workflowId: string;
  readonly isAnswer?: boolean;
  readonly rpc: () => Promise<T>;
  /** Returns the follow-up work of the write, by its result: the place is free only after that. */
  readonly leadsTo?: (result: T) => Promise<unknown> | undefined;
}

/** Makes a write in its turn, with 10 s for a worker after its admission. Throws what `outcomeOf` throws, and `busy`. */
export function inTurn<T>(
  to: To,
  { workflowId, isAnswer, rpc, leadsTo }: Turn<T>,
): Promise<Outcome<T>> {
  const write = async (place: Place): Promise<Outcome<T>> => {
    const outcome = await carriedOut(to, place, WRITE_MS, rpc);
    const followUp = outcome.kind === 'done' ? leadsTo?.(outcome.value) : undefined;
    if (followUp) place.holdFor(followUp);
    return outcome;
  };
  return to.admission.run(workflowId, write, isAnswer);
}

/**
 * Makes a write that a worker has to carry out within `ms`, and notes at its place whether one did. Throws what
 * `outcomeOf` throws.
 */
export async function carriedOut<T>(
  { client, clock, workerSilence }: To,
  place: Place,
  ms: number,
  rpc: () => Promise<T>,
): Promise<Outcome<T>> {
  const began = clock.now();
  const limits = { ms: limitOf(clock, 'worker', ms), retryOn: isPassing };
  const result = callTemporal(client, clock, { ...limits, rpc });
  const outcome = await outcomeOf(result, () => workerSilence.note(began));
  if (outcome.kind === 'done') place.carriedOut();
  if (outcome.kind === 'no_answer') place.unanswered();
  return outcome;
}
