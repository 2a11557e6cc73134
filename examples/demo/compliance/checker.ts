import { setTimeout as pause } from 'node:timers/promises';
import { earliness, type Lateness } from '../lateness.js';
import type { RowPrinter } from './printing.js';
import { MISSING_MS, paced } from './story.js';

/** A row of the table: what it says, when, and how to see it. */
export interface Row {
  readonly row: string;
  /** Seconds of the RFC after the question; absent for what comes before it. */
  readonly time?: number;
  readonly says: string;
  /** It holds from then on: it may be looked at late. */
  readonly lasting?: true;
  /** Resolves with the instant (ISO-8601) at which it came to be; rejects as long as it does not hold. */
  readonly look: () => Promise<string>;
}

/** The first way in which the run is not as planned, lateness apart. */
export class Difference extends Error {}

/** A time without a worker, in milliseconds since the epoch. */
interface Outage {
  readonly from: number;
  to: number;
}

const POLL_MS = 100;

/** Throws where a value is not the one that is expected; compared as JSON. */
export function is(what: string, actual: unknown, expected: unknown): void {
  const [seen, wanted] = [actual ?? null, expected].map((value) => JSON.stringify(value));
  if (seen !== wanted) throw new Error(`${what} is ${seen}, not ${wanted}`);
}

/** Checks rows one after another, and shows each as soon as it is seen. */
export class Checker {
  readonly intervalSeconds: number;
  private readonly variant: string;
  private readonly printer: RowPrinter;
  private readonly late: Lateness;
  private readonly signal: AbortSignal;
  private readonly outages: Outage[] = [];
  private asked = Date.now();

  constructor(
    variant: string,
    intervalSeconds: number,
    {
      printer,
      late,
      signal,
    }: { readonly printer: RowPrinter; readonly late: Lateness; readonly signal: AbortSignal },
  ) {
    this.variant = variant;
    this.intervalSeconds = intervalSeconds;
    this.printer = printer;
    this.late = late;
    this.signal = signal;
  }

  private paced(time: number): number {
    return paced(time, this.intervalSeconds);
  }

  /** Times count from this instant (ISO-8601). */
  countFrom(instant: string): void {
    this.asked = Date.parse(instant);
  }

  /** The instant of a moment of the RFC, ISO-8601. */
  instant(time: number): string {
    return new Date(this.asked + this.paced(time)).toISOString();
  }

  /** Waits for a moment of the RFC. */
  async until(time: number): Promise<void> {
    await pause(Math.max(0, this.asked + this.paced(time) - Date.now()), undefined, {
      signal: this.signal,
    });
  }

  /**
   * Runs what takes the worker away: the time until it resolves, and so many milliseconds more, make no row
   * late.
   */
  async outage(away: () => Promise<void>, graceMs: number): Promise<void> {
    const outage = { from: Date.now(), to: Infinity };
    this.outages.push(outage);
    await away();
    outage.to = Date.now() + graceMs;
  }

  /** Shows each row once it is seen, and notes what is late. Throws Difference for the first that is early, or missing. */
  async rows(...rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.check(row);
  }

  private async check({ row, time, says, lasting, look }: Row): Promise<void> {
    const planned = time === undefined ? undefined : this.asked + this.paced(time);
    const seen = await this.seen(`${this.variant}, ${row} (${says})`, planned, look);
    const actualMs = Date.parse(seen) - this.asked;
    const plannedMs = time === undefined ? null : this.paced(time);
    const label = time === undefined ? 'before' : `T+${time}`;
    this.printer.row({ variant: this.variant, row, time: label, plannedMs, actualMs, says });
    if (plannedMs === null || planned === undefined) return;
    const early = earliness(`${this.variant}, ${row}`, actualMs - plannedMs);
    if (early !== undefined) throw new Difference(early);
    if (lasting) return;
    const awayMs = this.away(planned, Date.parse(seen));
    const apart = awayMs > 0 ? `, ${awayMs} ms without a worker apart,` : '';
    this.late.see(`${this.variant}, ${row}${apart}`, actualMs - plannedMs - awayMs);
  }

  private async seen(
    what: string,
    planned: number | undefined,
    look: Row['look'],
  ): Promise<string> {
    const from = planned ?? Date.now();
    for (;;) {
      this.signal.throwIfAborted();
      try {
        return await look();
      } catch (error) {
        const now = Date.now();
        if (now - from - this.away(from, now) > MISSING_MS)
          throw new Difference(`${what}: ${String(error)}`);
      }
      await pause(POLL_MS, undefined, { signal: this.signal });
    }
  }

  /** Milliseconds without a worker, in which nothing can happen. */
  private away(planned: number, actual: number): number {
    const away = this.outages
      .map(({ from, to }) => Math.min(to, actual) - Math.max(from, planned))
      .filter((ms) => ms > 0);
    return away.reduce((sum, ms) => sum + ms, 0);
  }
}
