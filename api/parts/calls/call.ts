import PQueue from 'p-queue';
import type { Client } from '@temporalio/client';
import { RefusalError } from '../../errors.js';
import { DeadlinePassed, inScope, patiently, withinDeadline, type Clock } from './deadline.js';
import { classify } from './failures.js';

/**
 * First-in-first-out queues, one for each key, with a limit of work under way in each. Temporal takes
 * ten Updates at once for one workflow and then retries for 41 hidden seconds; it buffers one Query.
 */
export class Queues {
  private readonly queues = new Map<string, PQueue>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Runs `work` when its turn has come. A caller whose signal aborts while it waits leaves the queue
   * and gets the signal's reason; its work is never started.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    return this.queueOf(key).add(work, { signal });
  }

  private queueOf(key: string): PQueue {
    const known = this.queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: this.limit });
    queue.on('idle', () => this.queues.delete(key));
    this.queues.set(key, queue);
    return queue;
  }
}

interface Round {
  readonly current: Promise<unknown>;
  next?: Promise<unknown>;
}

/**
 * Lets many callers share one answer that is no older than their question: a caller that comes while a round runs
 * shares the next one. Temporal buffers one Query per workflow while it is busy, and refuses the others.
 */
export class Rounds {
  private readonly rounds = new Map<string, Round>();

  /** Callers with the same `key` must ask the same question. */
  async join<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const round = this.rounds.get(key);
    if (!round) return this.begin(key, ask);
    const begin = () => this.begin(key, ask);
    round.next ??= round.current.then(begin, begin);
    return round.next as Promise<T>;
  }

  private begin<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const current = ask();
    const round: Round = { current };
    this.rounds.set(key, round);
    const end = (): void => {
      if (this.rounds.get(key) === round && !round.next) this.rounds.delete(key);
    };
    current.then(end, end);
    return current;
  }
}

export interface Call<T> {
  /** The longest time for the wait in the queue and all attempts together, in milliseconds. */
  readonly ms: number;
  /** The queue in which it waits for its turn; without one it is made at once. */
  readonly queue?: { readonly of: Queues; readonly key: string };
  /** Says after which failures the call is made again; after none by default. */
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

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Temporal knows no such workflow, or it is closed and takes nothing more. */
  | { readonly kind: 'gone' }
  /** Nobody answered in time. A write may still run later: Temporal keeps it for the next worker. */
  | { readonly kind: 'no_answer' };

/**
 * Returns the outcome of a call. Throws RefusalError if the workflow refuses, and failures that are not known.
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
