import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '../../../service/stack.js';
import { columns, seconds, type StoryPrinter } from '../printing.js';

/** Long enough for a vote to be taken in, and well before the reminder. */
const KILL_AFTER_MS = 500;

/** Tells the story of the approvals, as lines of text or of JSON. */
export class Teller {
  private readonly printer: StoryPrinter;
  private readonly write: (line: string) => void;
  private readonly json: boolean;
  private readonly starts = new Map<string, number>();
  private slowestMs = 0;

  constructor(printer: StoryPrinter, write: (line: string) => void, json: boolean) {
    this.printer = printer;
    this.write = write;
    this.json = json;
  }

  /** The times of a part count from this instant (ms). */
  from(part: string, at: number): void {
    this.starts.set(part, at);
  }

  /** Says that something has happened, as it was checked. `planned` in milliseconds where a time is kept. */
  line(part: string, says: string, planned?: number): void {
    const actual = Date.now() - (this.starts.get(part) ?? Date.now());
    if (this.json) {
      const times = { planned_ms: planned ?? null, actual_ms: actual };
      this.write(JSON.stringify({ kind: 'step', part, ...times, says }));
      return;
    }
    this.write(columns(part, seconds(planned), seconds(actual), says));
  }

  /** The longest time that a worker which was killed took to run again, in milliseconds. */
  get restartMs(): number {
    return this.slowestMs;
  }

  /** Kills the worker, and waits until it runs again. */
  async kill(stack: Stack): Promise<void> {
    await pause(KILL_AFTER_MS);
    const from = Date.now();
    this.printer.note(`the worker (${stack.pids().worker ?? 'down'}) is killed`);
    await stack.kill('worker', 'SIGKILL');
    await stack.untilUp('worker');
    this.slowestMs = Math.max(this.slowestMs, Date.now() - from);
    this.printer.note(`the worker runs again (${stack.pids().worker ?? 'down'})`);
  }
}
