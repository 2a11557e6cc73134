import { setInterval } from 'node:timers';

/** Something that a start waits for, and that takes long enough to be named. */
export interface Step {
  /** Its name in lines: `the inbox`. */
  readonly name: string;
  /** What is done, why, and how long that usually takes; absent: usually not worth a line. */
  readonly why?: string;
}

const BEAT_MS = 10_000;

/** Says what a start is busy with: each long step when it begins and when it is done, and every ten seconds what is still missing. */
export class Progress {
  readonly #log: (line: string) => void;
  readonly #now: () => number;
  readonly #missing = new Map<string, number>();

  /** @param now - a monotonic clock, in milliseconds */
  constructor(log: (line: string) => void, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** Names a step while `work` is under way, and returns its result. */
  async during<T>({ name, why }: Step, work: () => Promise<T>): Promise<T> {
    const began = this.#now();
    if (why !== undefined) this.#log(`${capital(name)}: ${why}`);
    this.#missing.set(name, began);
    try {
      const result = await work();
      if (why !== undefined) this.#log(`${capital(name)}: done in ${this.#seconds(began)} s`);
      return result;
    } finally {
      this.#missing.delete(name);
    }
  }

  /** Says what is still missing, if anything is. */
  beat(): void {
    const missing = [...this.#missing].map(
      ([name, began]) => `${name} (${this.#seconds(began)} s)`,
    );
    if (missing.length > 0) this.#log(`Still waiting for ${missing.join(', ')}`);
  }

  /** Repeats that every ten seconds while `work` is under way. */
  async whileStarting<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.beat(), BEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  #seconds(since: number): number {
    return Math.round((this.#now() - since) / 1_000);
  }
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
