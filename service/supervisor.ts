import { StartupError } from '../runtime/program.js';
import type { LaunchedProcess } from './node-process.js';
import { setTimeout as timeout } from 'node:timers';

/** The pauses before a process that ended is started again; milliseconds. */
interface Backoff {
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

interface SupervisorOptions {
  readonly log: (line: string) => void;
  readonly backoff?: Backoff;
  readonly timers?: SupervisorTimers;
  /** Milliseconds that each process has to end before it is killed; 15,000 unless given. */
  readonly stopMs?: number;
}

const STOP_MS = 15_000;

const SYSTEM_TIMERS: SupervisorTimers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = timeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Keeps named processes running, and ends them in order. A process is added after those it needs, and stopped before
 * them.
 */
export class Supervisor<Name extends string> {
  readonly #options: SupervisorOptions;
  readonly #processes = new Map<Name, Supervised>();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  add(name: Name, launch: () => LaunchedProcess): void {
    const { log, backoff = BACKOFF, timers = SYSTEM_TIMERS } = this.#options;
    this.#processes.set(name, new Supervised({ name, launch, log, backoff, timers }));
  }

  get names(): readonly Name[] {
    return [...this.#processes.keys()];
  }

  /**
   * Returns the process with this name.
   *
   * @throws Error if there is none
   */
  process(name: Name): Supervised {
    const found = this.#processes.get(name);
    if (found === undefined) throw new Error(`There is no process "${name}".`);
    return found;
  }

  /**
   * Starts a process; see `Supervised.start`.
   *
   * @throws Error if the supervisor has been stopped
   */
  async start(name: Name): Promise<void> {
    if (this.#stopped !== undefined) throw new Error(`${name} is not started: stopping.`);
    await this.process(name).start();
  }

  /** Stops every process, the last added first, each within the limit. May be called again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    const limitMs = this.#options.stopMs ?? STOP_MS;
    for (const process of [...this.#processes.values()].reverse()) await process.stop(limitMs);
  }
}
