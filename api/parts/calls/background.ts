import PQueue from 'p-queue';
import { setTimeout as pause } from 'node:timers/promises';
import type { WarningLog } from '../reads/from-store.js';

/**
 * How much work runs at once: most of it waits for Temporal, and rows are written in batches. A full queue takes
 * minutes if the store hangs.
 */
const AT_ONCE = 32;
const MOST_WAITING = 10_000;

/** Takes work that no request waits for, or drops it. */
export interface Background {
  /** Returns undefined if the work is dropped, because the queue is full. */
  readonly add: (work: () => Promise<unknown>) => Promise<unknown> | undefined;
}

/** The background work of a process. The reconciler finds what it drops. */
export class BackgroundQueue implements Background {
  private readonly queue = new PQueue({ concurrency: AT_ONCE });
  private readonly log: WarningLog;
  private isFull = false;

  constructor(log: WarningLog) {
    this.log = log;
  }

  get size(): number {
    return this.queue.size;
  }

  readonly add = (work: () => Promise<unknown>): Promise<unknown> | undefined => {
    const { size } = this.queue;
    if (size === 0) this.isFull = false;
    if (size < MOST_WAITING) return this.queue.add(work);
    if (!this.isFull) this.log.warn({ waiting: size }, 'rows are left to the reconciler');
    this.isFull = true;
    return undefined;
  };

  /** Waits until all is done, for at most `ms`; what has not begun by then is dropped. */
  async close(ms: number): Promise<void> {
    const over = new AbortController();
    const timeUp = pause(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.queue.onIdle(), timeUp]);
    over.abort();
    this.queue.clear();
  }
}
