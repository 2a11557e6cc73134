import type { Client } from '@temporalio/client';
import { RefusalError } from '../../errors.js';
import { DeadlinePassed, inScope, patiently, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { classify } from './failures.js';
import type { Queues } from './queues.js';

/** One call to Temporal, with its limits. */
export interface Call<T> {
  /** How long it lasts at most: its wait in the queue and all its attempts. */
  readonly ms: number;
  /** The queue in which it waits for its turn; without one it is made at once. */
  readonly queue?: { readonly of: Queues; readonly key: string };
  /** After which failures it is made again; after none by default. */
  readonly retryOn?: (error: unknown) => boolean;
  /** Ends the call when its caller goes away. */
  readonly caller?: AbortSignal;
  readonly rpc: () => Promise<T>;
}

/**
 * Makes a call to Temporal: in its turn, within its time, and again while its failure passes. Throws
 * DeadlinePassed when time is up, the reason of `caller`, and the first failure that does not pass.
 */
export async function callTemporal<T>(
  client: Pick<Client, 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
  { ms, queue, retryOn = () => false, caller, rpc }: Call<T>,
): Promise<T> {
  return withinDeadline(
    clock,
    ms,
    (scope) => {
      const work = () => patiently(clock, scope, retryOn, () => inScope(client, scope, rpc));
      return queue ? queue.of.run(queue.key, scope.signal, work) : work();
    },
    caller,
  );
}

/** How a call to a workflow ended. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Temporal knows no such workflow, or it is closed and takes nothing more. */
  | { readonly kind: 'gone' }
  /** Nobody answered in time. A write may still run later: Temporal keeps it for the next worker. */
  | { readonly kind: 'no_answer' };

/**
 * The outcome of a call. Throws RefusalError if the workflow refuses, and failures that are not known.
 *
 * @param timeUp - called if the call's time is up
 */
export async function outcomeOf<T>(
  call: Promise<T>,
  timeUp: () => void = () => undefined,
): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await call };
  } catch (error) {
    if (error instanceof DeadlinePassed) {
      timeUp();
      return { kind: 'no_answer' };
    }
    const failure = classify(error);
    if (failure.kind === 'refused') throw new RefusalError(failure.refusal, { cause: error });
    if (failure.kind === 'gone') return { kind: 'gone' };
    if (failure.kind === 'passing') return { kind: 'no_answer' };
    throw error;
  }
}
