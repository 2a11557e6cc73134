import { setTimeout as timeout } from 'node:timers';
import type { LaunchedProcess } from './node-process.js';
import { BACKOFF, Supervised } from './supervised-process.js';
import type { Backoff, SupervisorTimers } from './supervised-process.js';

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
 * Keeps a set of named processes running, and ends them in order. Processes are added in the order of dependence: what a
 * process needs is added before it, and stopped after it.
 */
export class Supervisor<Name extends string> {
  readonly #options: SupervisorOptions;
  readonly #processes = new Map<Name, Supervised>();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Adds a process without starting it. */
  add(name: Name, launch: () => LaunchedProcess): void {
    const { log, backoff = BACKOFF, timers = SYSTEM_TIMERS } = this.#options;
    this.#processes.set(name, new Supervised({ name, launch, log, backoff, timers }));
  }

  /** The names in the order they were added. */
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
