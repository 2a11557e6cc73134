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
