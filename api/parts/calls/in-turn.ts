import type { Client } from '@temporalio/client';
import type { Admission, Place } from './admission.js';
import { callTemporal, outcomeOf } from './call.js';
import type { Outcome } from './call.js';
import { WRITE_MS, limitOf } from './deadline.js';
import type { Clock } from './deadline.js';
import { isPassing } from './failures.js';
import type { WorkerSilence } from './failures.js';

/** What calls use of the SDK's client. */
export type TemporalClient = Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;

/** What all spaces of a process share. */
export interface Shared {
  /** Notes calls that no worker answered. */
  readonly workerSilence?: WorkerSilence;
  /** Lets Updates and starts in. */
  readonly admission?: Admission;
}

/** What calls to the workflows of one space need. */
export interface To extends Required<Shared> {
  readonly client: TemporalClient;
  readonly clock: Clock;
  readonly space: string;
}

/** A write to a workflow. */
export interface Turn<T> {
  readonly workflowId: string;
  /** Whether it is a person's answer. */
  readonly isAnswer?: boolean;
  readonly rpc: () => Promise<T>;
  /** What the write has led to, by its result: its place is free only after that. */
  readonly leadsTo?: (result: T) => Promise<unknown> | undefined;
}

/** Makes a write in its turn, and waits for a worker, 10 s in all from its admission on. Throws what `outcomeOf` throws, and `busy`. */
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

/** Makes a write that a worker has to carry out within `ms`, and has its place say whether one did. Throws what `outcomeOf` throws. */
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
