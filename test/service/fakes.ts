import type { LaunchedProcess, ProcessEnd } from '../../service/node-process.js';
import type { SupervisorTimers } from '../../service/supervisor.js';

/** A process that a test makes ready and ends; it ends by any signal unless `stubborn`. */
export class FakeProcess implements LaunchedProcess {
  readonly pid: number;
  readonly ready: Promise<void>;
  readonly ended: Promise<ProcessEnd>;
  readonly signals: string[] = [];
  stubborn = false;
  sayReady: () => void = () => undefined;
  #end: (end: ProcessEnd) => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
    this.ready = new Promise((resolve) => (this.sayReady = resolve));
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(how: string, lastLines = ''): void {
    this.#end({ how, lastLines });
  }

  signal = (signal: NodeJS.Signals): void => {
    this.signals.push(signal);
    if (!this.stubborn) this.end(signal);
  };

  signalAll = (signal: NodeJS.Signals): void => {
    this.signals.push(`all ${signal}`);
    if (!this.stubborn || signal === 'SIGKILL') this.end(signal);
  };
}

/** Timers that run when a test says so. */
export class FakeTimers implements SupervisorTimers {
  #now = 0;
  readonly set: { at: number; run: () => void }[] = [];

  now = (): number => this.#now;

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + ms, run };
    this.set.push(timer);
    return () => void this.set.splice(this.set.indexOf(timer), this.set.includes(timer) ? 1 : 0);
  };

  /** Moves the clock and runs what comes due. */
  pass(ms: number): void {
    this.#now += ms;
    const due = this.set.filter(({ at }) => at <= this.#now);
    for (const timer of due) {
      this.set.splice(this.set.indexOf(timer), 1);
      timer.run();
    }
  }
}

/** Lets everything that is resolved already run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
