import PQueue from 'p-queue';

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
 * Lets many callers share one answer that is no older than their question: who comes while a round
 * runs shares the next one, which begins only then. Temporal buffers one Query per workflow while it
 * is busy, and refuses the others.
 */
export class Rounds {
  private readonly rounds = new Map<string, Round>();

  /** `key` stands for the question: all who use one key must ask the same. */
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
