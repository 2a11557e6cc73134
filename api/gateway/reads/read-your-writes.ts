import { workflowIdOf } from '../../../contracts/constants/names.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import { RefusalError } from '../../errors.js';
import { DeadlinePassed, untilSo, withinDeadline } from '../calls/deadline.js';
import type { Clock, Scope } from '../calls/deadline.js';
import type { Ask, QueryOutcome } from '../calls/queries.js';
import type { FromStore, GatewayLog } from './store-reads.js';

const CATCH_UP_MS = 2_000;
const AT_ONCE = 16;
/** So many touched intents set off a catch-up of their own, so that the memory stays small. */
const MANY = 1_000;
/** Beyond so many the oldest is forgotten. */
const MOST = 100_000;
/** A store that answers but does not get so far in this time never will: the workflow is gone or stuck. */
const PATIENCE_MS = 30_000;

/** What is to be waited for; a new object at each touch. */
interface Touch {
  /** Undefined where the workflow has to be asked. */
  readonly sequence: number | undefined;
  /** When it was first waited for in vain, although the store answered. */
  lateSince?: number;
}

interface Deps {
  readonly ask: Ask;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: GatewayLog;
}

/**
 * Keeps "every read after a 2xx sees that write" for what is read from the store. It knows what this
 * replica wrote; other replicas' writes show as soon as the store has them.
 */
export class Consistency {
  private readonly touched = new Map<string, Touch>();
  private readonly deps: Deps;
  private relief: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Remembers that this replica wrote to an intent. `sequence` is that of the write's newest event;
   * without it the workflow is asked for it later.
   */
  touch(intentId: string, sequence?: number): void {
    const earlier = this.touched.get(intentId) ?? { sequence: 0 };
    const known = sequence !== undefined && earlier.sequence !== undefined;
    const newest = known ? Math.max(sequence, earlier.sequence) : undefined;
    this.touched.delete(intentId);
    this.touched.set(intentId, { sequence: newest });
    for (const oldest of this.touched.keys()) {
      if (this.touched.size <= MOST) break;
      this.touched.delete(oldest);
    }
    if (this.touched.size >= MANY) this.relief ??= this.relieve();
  }

  /**
   * Waits, at most 2 s, until the store holds an entity's log as far as its workflow has come.
   * `missing` tells that Temporal no longer knows it. Throws `store_unavailable`.
   */
  async catchUp(
    id: string,
    type: 'intent' | 'portfolio' = 'intent',
  ): Promise<'caught_up' | 'behind' | 'missing'> {
    const asked = await this.position(id, type);
    if (asked.kind === 'missing') return 'missing';
    if (asked.kind === 'no_answer') return 'behind';
    const done = await this.inTime(({ signal }) => this.stored(id, asked.value, signal));
    return done ? 'caught_up' : 'behind';
  }

  /**
   * Remembers a write as `touch` does, and waits, at most 2 s, until the store holds it: for what others follow
   * only from then on. Resolves all the same where the store does not get there, or does not answer.
   */
  async hold(id: string, sequence: number): Promise<void> {
    this.touch(id, sequence);
    try {
      await this.inTime(({ signal }) => this.stored(id, sequence, signal));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  }

  /**
   * The same for every intent touched here before, 2 s in all; false where some are still behind.
   * Throws `store_unavailable`.
   */
  async catchUpAll(): Promise<boolean> {
    const behind = new Map(this.touched);
    if (behind.size === 0) return true;
    await this.inTime(({ signal }) => this.settleAll(behind, signal));
    for (const [intentId, touch] of behind) this.waitedInVain(intentId, touch);
    return behind.size === 0;
  }

  /** Gives up, after a while, on what would make every list wait. */
  private waitedInVain(intentId: string, touch: Touch): void {
    const now = this.deps.clock.now();
    touch.lateSince ??= now;
    if (now - touch.lateSince < PATIENCE_MS || this.touched.get(intentId) !== touch) return;
    this.touched.delete(intentId);
    this.deps.log.warn({ intent: intentId }, 'the store never got to hold what was written');
  }

  /** Whether the work ended within 2 s. */
  private async inTime(work: (scope: Scope) => Promise<void>): Promise<boolean> {
    try {
      await withinDeadline(this.deps.clock, CATCH_UP_MS, work);
      return true;
    } catch (error) {
      if (error instanceof DeadlinePassed) return false;
      throw error;
    }
  }

  /** Takes out of `behind` what the store has come to hold. */
  private async settleAll(behind: Map<string, Touch>, signal: AbortSignal): Promise<void> {
    const rest = [...behind].values();
    const lane = async (): Promise<void> => {
      for (const [intentId, touch] of rest) {
        if (signal.aborted) return;
        if (await this.settle(intentId, touch, signal)) behind.delete(intentId);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  private async settle(intentId: string, touch: Touch, signal: AbortSignal): Promise<boolean> {
    const asked = touch.sequence === undefined ? await this.position(intentId) : undefined;
    if (asked?.kind === 'no_answer') return false;
    const sequence = asked?.kind === 'found' ? asked.value : (touch.sequence ?? 0);
    await this.stored(intentId, sequence, signal);
    // Where it was touched again meanwhile, that write is still to be waited for.
    if (this.touched.get(intentId) === touch) this.touched.delete(intentId);
    return true;
  }

  private async position(
    id: string,
    type: 'intent' | 'portfolio' = 'intent',
  ): Promise<QueryOutcome<number>> {
    const asked = await this.deps.ask(workflowIdOf(type, id), positionQuery);
    if (asked.kind !== 'found') return asked;
    return { kind: 'found', value: asked.value.last_sequence };
  }

  private async stored(intentId: string, sequence: number, signal: AbortSignal): Promise<void> {
    const { clock, fromStore } = this.deps;
    await untilSo(
      clock,
      signal,
      async () => (await fromStore((store) => store.lastSequence(intentId))) >= sequence,
    );
  }

  /** One at a time, and beside the write that set it off. */
  private async relieve(): Promise<void> {
    try {
      await this.catchUpAll();
    } catch (error) {
      this.deps.log.warn({ err: error }, 'catching up with the store failed');
    } finally {
      this.relief = undefined;
    }
  }
}

const LIST_CATCH_UP_MS = 2_000;
/** Beyond so many the oldest is forgotten. */
const MOST_LISTED = 10_000;
/** What a store that answers has not shown after this time it never will. */
const LIST_PATIENCE_MS = 30_000;

interface Entry<T> {
  readonly wanted: T;
  readonly since: number;
}

/** Which of these ids the store does not show yet as it is wanted. */
export type Missing<T> = (wanted: ReadonlyMap<string, T>) => Promise<readonly string[]>;

/**
 * Keeps "every read after a 2xx sees that write" for lists: what this replica wrote, and the store does not
 * show yet. Other replicas' writes show as soon as the store has them.
 */
export class ListedWrites<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly clock: Clock;
  private readonly missing: Missing<T>;

  constructor(clock: Clock, missing: Missing<T>) {
    this.clock = clock;
    this.missing = missing;
  }

  /** Remembers how the store is to show something. */
  touch(id: string, wanted: T): void {
    this.entries.delete(id);
    this.entries.set(id, { wanted, since: this.clock.now() });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST_LISTED) break;
      this.entries.delete(oldest);
    }
  }

  /** Waits, at most 2 s, until the store shows it all; false where it does not. Throws `store_unavailable`. */
  async catchUp(): Promise<boolean> {
    try {
      await withinDeadline(this.clock, LIST_CATCH_UP_MS, ({ signal }) =>
        untilSo(this.clock, signal, () => this.isShown()),
      );
      return true;
    } catch (error) {
      if (error instanceof DeadlinePassed) return false;
      throw error;
    }
  }

  private async isShown(): Promise<boolean> {
    if (this.entries.size === 0) return true;
    const asked = new Map(this.entries);
    const wanted = new Map([...asked].map(([id, entry]) => [id, entry.wanted]));
    const missing = new Set(await this.missing(wanted));
    for (const [id, entry] of asked) {
      const isOver = !missing.has(id) || this.clock.now() - entry.since > LIST_PATIENCE_MS;
      // Where it was touched again meanwhile, that is still to be waited for.
      if (isOver && this.entries.get(id) === entry) this.entries.delete(id);
    }
    return this.entries.size === 0;
  }
}

/** The versions that the store has of these ids. */
export type StoredVersions = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** The versions of tasks or plans that this replica wrote, for lists of them. */
export class Versions extends ListedWrites<number> {
  constructor(clock: Clock, stored: StoredVersions) {
    super(clock, async (wanted) => {
      const shown = await stored([...wanted.keys()]);
      return [...wanted].flatMap(([id, version]) => ((shown.get(id) ?? 0) < version ? [id] : []));
    });
  }
}

/** The suspensions that this replica opened (`pending`) or settled, for lists of them. */
export class Settlements extends ListedWrites<'pending' | 'settled'> {
  constructor(clock: Clock, fromStore: FromStore) {
    super(clock, (wanted) => fromStore((store) => store.notYet(wanted)));
  }
}
