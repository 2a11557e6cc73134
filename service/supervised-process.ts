import { StartupError } from '../runtime/program.js';
import type { LaunchedProcess } from './node-process.js';

/** The pauses before a process that ended is started again; milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that lived this long counts as healthy: its next pause is the first one again. */
  readonly healthyMs: number;
}

export const BACKOFF: Backoff = { firstMs: 500, maxMs: 10_000, healthyMs: 30_000 };

/**
 * Returns the pause before the next start, which doubles from `firstMs` up to `maxMs`.
 *
 * @param previousMs - the pause before the process that has just ended; undefined for the first one
 * @param livedMs - how long that process lived
 */
export function nextPause(
  previousMs: number | undefined,
  livedMs: number,
  { firstMs, maxMs, healthyMs }: Backoff,
): number {
  if (previousMs === undefined || livedMs >= healthyMs) return firstMs;
  return Math.min(previousMs * 2, maxMs);
}

/** The clock and the timer, which tests replace; milliseconds. */
export interface SupervisorTimers {
  readonly now: () => number;
  /** Runs `run` after `ms`. Returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

interface SupervisedOptions {
  readonly name: string;
  readonly launch: () => LaunchedProcess;
  readonly log: (line: string) => void;
  readonly backoff: Backoff;
  readonly timers: SupervisorTimers;
}

/** A process ended before it was ready at its first start. */
export class ProcessStartError extends StartupError {
  override readonly name = 'ProcessStartError';
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A process that is started again, after a pause, whenever it ends unexpectedly. */
export class Supervised {
  readonly #options: SupervisedOptions;
  #current: LaunchedProcess | undefined;
  #isUp = false;
  #launchedAt = 0;
  #pauseMs: number | undefined;
  #callOffStart: (() => void) | undefined;
  /** Whether it is down on purpose: not started yet, paused or stopped. */
  #down = true;
  #restarts = 0;
  #waiters: Waiter[] = [];

  constructor(options: SupervisedOptions) {
    this.#options = options;
  }

  /** The id of the running process; undefined between an end and the next start. */
  get pid(): number | undefined {
    return this.#current?.pid;
  }

  /** How often it was started again after the first start. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Starts it, and resolves when it reports that it is ready.
   *
   * @throws ProcessStartError with its last lines if it ends first; it is then not started again
   */
  async start(): Promise<void> {
    this.#down = false;
    const process = this.#launch();
    const end = await Promise.race([process.ready, process.ended]);
    if (end === undefined) {
      this.#restartAfter(process);
      return;
    }
    this.#down = true;
    this.#current = undefined;
    const reason = end.lastLines === '' ? '' : `: ${end.lastLines}`;
    const message = `${this.#options.name} ended by ${end.how} before it was ready${reason}`;
    throw new ProcessStartError(message);
  }

  /** Resolves when the running process, or the next one, is ready. Rejects if it is paused or stopped first. */
  async untilUp(): Promise<void> {
    if (this.#isUp) return;
    await new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Ends it and its children; resolves once it is gone. It is then started again. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#current?.signalAll(signal);
    await this.#current?.ended;
  }

  /** Kills it and keeps it down until `resume`. */
  async pause(): Promise<void> {
    this.#keepDown();
    await this.kill();
    this.#current = undefined;
  }

  /** Starts it after `pause`; resolves as `untilUp` does. */
  async resume(): Promise<void> {
    if (this.#down) {
      this.#down = false;
      this.#startAgain();
    }
    await this.untilUp();
  }

  /** Asks it to end, and kills it after `limitMs`; resolves once it is gone. */
  async stop(limitMs: number): Promise<void> {
    this.#keepDown();
    const process = this.#current;
    if (process === undefined) return;
    process.signal('SIGTERM');
    const { name, log, timers } = this.#options;
    const callOff = timers.after(limitMs, () => {
      log(`${name} (${process.pid}) did not end within ${limitMs / 1000} s, killing it`);
      process.signalAll('SIGKILL');
    });
    await process.ended;
    callOff();
    this.#current = undefined;
  }

  #keepDown(): void {
    this.#down = true;
    this.#isUp = false;
    this.#callOffStart?.();
    this.#callOffStart = undefined;
    const waiters = this.#waiters.splice(0);
    for (const { reject } of waiters) reject(new Error(`${this.#options.name} was stopped`));
  }

  #launch(): LaunchedProcess {
    const process = this.#options.launch();
    this.#launchedAt = this.#options.timers.now();
    this.#current = process;
    void process.ready.then(() => {
      if (this.#current !== process || this.#down) return;
      this.#isUp = true;
      for (const { resolve } of this.#waiters.splice(0)) resolve();
    });
    return process;
  }

  #startAgain(): void {
    this.#callOffStart = undefined;
    this.#restarts += 1;
    this.#restartAfter(this.#launch());
  }

  #restartAfter(process: LaunchedProcess): void {
    void process.ended.then(({ how }) => {
      if (this.#down || this.#current !== process) return;
      this.#current = undefined;
      this.#isUp = false;
      const { name, log, backoff, timers } = this.#options;
      this.#pauseMs = nextPause(this.#pauseMs, timers.now() - this.#launchedAt, backoff);
      const seconds = this.#pauseMs / 1000;
      log(`${name} (${process.pid}) ended by ${how}, starting again in ${seconds} s`);
      this.#callOffStart = timers.after(this.#pauseMs, () => this.#startAgain());
    });
  }
}
