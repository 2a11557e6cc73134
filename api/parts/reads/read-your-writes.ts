import { failureOf } from '../../../store/failures.js';
import { RefusalError } from '../../errors.js';
import {
  DeadlinePassed,
  READ_MS,
  limitOf,
  untilSo,
  withinDeadline,
  type Clock,
} from '../calls/deadline.js';
import type { WarningLog } from './from-store.js';
import type { Entry, SpaceMemory } from './write-memory.js';

/** So many entries start a catch-up of their own, and so many are looked for with one query. */
const MANY = 1_000;
/** A store that answers will never show a write that it has not shown by then: the workflow is gone or stuck. */
const PATIENCE_MS = 30_000;

interface Rule<W> {
  /** Returns the ids whose wanted state the store does not show yet; at most 1,000 at once. */
  missing(wanted: ReadonlyMap<string, W>): Promise<readonly string[]>;
  /** Called for each write; for those who wait for it in this process. */
  touched?(id: string, wanted: W): void;
}

interface Deps<W> {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<W>;
}

/**
 * Keeps "every read after a 2xx sees that write" for reads from the store: for writes of this replica, and those of
 * others that a request names (`written-header.ts`), which the store does not show yet.
 */
export class ReadYourWrites<W> {
  private readonly memory: SpaceMemory<W>;
  private readonly clock: Clock;
  private readonly log: WarningLog;
  private readonly rule: Rule<W>;
  private relief: Promise<void> | undefined;

  constructor({ clock, log, memory }: Deps<W>, rule: Rule<W>) {
    this.memory = memory;
    this.clock = clock;
    this.log = log;
    this.rule = rule;
  }

  /** Remembers what the store is to show of an id. */
  touch(id: string, wanted: W): void {
    this.note(id, wanted);
  }

  private note(id: string, wanted: W): Entry<W> {
    const entry = this.memory.touch(id, wanted);
    if (this.memory.entries.size >= MANY) this.relief ??= this.relieve();
    this.rule.touched?.(id, wanted);
    return entry;
  }

  /** Waits, at most 2 s, until the store shows all earlier writes; false if it does not. Throws `store_unavailable`. */
  async catchUp(): Promise<boolean> {
    const behind = new Map(this.memory.entries);
    if (behind.size === 0) return true;
    const isDone = await this.inTime((signal) => this.look(behind, signal));
    const now = this.clock.now();
    if (!isDone) for (const entry of behind.values()) entry.lateSince ??= now;
    return isDone;
  }

  /**
   * Remembers a write as `touch` does, and waits, at most 2 s, until the store shows it, for readers who follow it
   * from then on. Resolves also if the store fails or does not show it.
   */
  async hold(id: string, wanted: W): Promise<void> {
    const entry = this.note(id, wanted);
    try {
      if (await this.comesToShow(id, entry.wanted)) this.memory.forget(id, entry);
    } catch (error) {
      // The rest stays written; a refusal has been logged before.
      if (!(error instanceof RefusalError)) this.log.warn(failureOf(error), 'the store failed');
    }
  }

  /** Whether the store shows this within 2 s. Throws `store_unavailable`. */
  async comesToShow(id: string, wanted: W): Promise<boolean> {
    const one = new Map([[id, wanted]]);
    return this.inTime(async () => (await this.rule.missing(one)).length === 0);
  }

  private async inTime(isSo: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    try {
      await withinDeadline(this.clock, limitOf(this.clock, 'worker', READ_MS), ({ signal }) =>
        untilSo(this.clock, signal, () => isSo(signal)),
      );
      return true;
    } catch (error) {
      if (error instanceof DeadlinePassed) return false;
      throw error;
    }
  }

  /** Removes from `behind` what the store shows, and what it never will; returns whether nothing remains. */
  private async look(behind: Map<string, Entry<W>>, signal: AbortSignal): Promise<boolean> {
    const all = [...behind];
    for (let from = 0; from < all.length && !signal.aborted; from += MANY) {
      const part = all.slice(from, from + MANY);
      const missing = await this.missingOf(part);
      for (const [id, entry] of part) {
        if (missing.has(id) && !this.isHopeless(id, entry)) continue;
        behind.delete(id);
        // If it was touched again meanwhile, the later state is still to come.
        this.memory.forget(id, entry);
      }
    }
    return behind.size === 0;
  }

  private async missingOf(part: readonly (readonly [string, Entry<W>])[]): Promise<Set<string>> {
    try {
      const wanted = new Map(part.map(([id, entry]) => [id, entry.wanted]));
      return new Set(await this.rule.missing(wanted));
    } catch (error) {
      // A store that was away gets its time anew.
      for (const [, entry] of part) entry.lateSince = undefined;
      throw error;
    }
  }

  private isHopeless(id: string, { lateSince }: Entry<W>): boolean {
    if (lateSince === undefined || this.clock.now() - lateSince < PATIENCE_MS) return false;
    this.log.warn({ id }, 'the store never got to show what was written');
    return true;
  }

  /** Runs one catch-up at a time, without delaying the write that started it. */
  private async relieve(): Promise<void> {
    try {
      await this.catchUp();
    } catch (error) {
      this.log.warn({ err: error }, 'catching up with the store failed');
    } finally {
      this.relief = undefined;
    }
  }
}
