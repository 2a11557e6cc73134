interface Line {
  busy: number;
  /** In order of arrival; each is called when it has a place. */
  readonly waiting: Set<() => void>;
}

/**
 * A first-in-first-out gate: at most `places` pieces of work at once for one key. Temporal holds ten
 * Updates in flight per workflow and then retries for 41 hidden seconds (design §5).
 */
export class Gate {
  private readonly lines = new Map<string, Line>();
  private readonly limit: number;

  constructor(limit = 4) {
    this.limit = limit;
  }

  /**
   * Runs `work` once there is a place. A caller whose signal aborts while it waits leaves the queue
   * and gets the signal's reason; its work is never started.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.lineOf(key);
    await this.enter(line, signal);
    try {
      return await work();
    } finally {
      this.leave(key, line);
    }
  }

  private lineOf(key: string): Line {
    const line = this.lines.get(key) ?? { busy: 0, waiting: new Set() };
    this.lines.set(key, line);
    return line;
  }

  private async enter(line: Line, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (line.busy < this.limit) {
      line.busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        line.waiting.delete(admit);
        reject(signal.reason instanceof Error ? signal.reason : new Error('gave up waiting'));
      };
      const admit = (): void => {
        line.waiting.delete(admit);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      line.waiting.add(admit);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the place to the next in line, or frees it. */
  private leave(key: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      next();
      return;
    }
    line.busy -= 1;
    if (line.busy === 0) this.lines.delete(key);
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
