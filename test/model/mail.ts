interface Letter {
  readonly deliver: () => void;
  readonly isReady: () => boolean;
}

/** What is under way between the parts of a whole: nothing is lost, everything else may happen to it. */
export class Mail {
  private readonly afterEach: () => void;
  private readonly waiting: Letter[] = [];
  private readonly delivered: Letter[] = [];

  constructor(afterEach: () => void) {
    this.afterEach = afterEach;
  }

  post(deliver: () => void, isReady = () => true): void {
    this.waiting.push({ deliver, isReady });
  }

  /** Delivers any one of those that wait. */
  deliver(pick: number): boolean {
    const ready = this.waiting.filter(({ isReady }) => isReady());
    const letter = ready[pick % Math.max(ready.length, 1)];
    if (letter === undefined) return false;
    this.waiting.splice(this.waiting.indexOf(letter), 1);
    this.delivered.push(letter);
    letter.deliver();
    this.afterEach();
    return true;
  }

  /** One of those that were delivered comes again, sooner or later. */
  repeat(pick: number): void {
    const letter = this.delivered[pick % Math.max(this.delivered.length, 1)];
    if (letter !== undefined) this.waiting.push(letter);
  }

  /** Delivers all, and all that follows from it, in an order of its own for each `pick`. */
  deliverAll(pick: number): void {
    for (let turn = pick; this.deliver(turn); turn += pick + 1);
  }
}
