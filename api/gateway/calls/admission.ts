import { WRITE_LIMITS } from '../../../contracts/config.js';
import type { LimitsConfig } from '../../../contracts/config.js';
import { RefusalError } from '../../errors.js';
import { OVER } from './deadline.js';
import type { Clock } from './deadline.js';
import { currentRequest } from './request.js';
import type { WritingRequest } from './request.js';

/** So many Updates of this process are under way at one workflow; Temporal takes ten. */
const AT_ONE_WORKFLOW = 4;

/** How much the latest write counts in the mean of how long writes take. */
const WEIGHT = 0.05;

/** Seconds: nobody is sent away for longer. */
const LONGEST_RETRY_AFTER = 60;

/** How long writes still wait once the API closes: what is left of its 12 s is for those that are under way. */
const CLOSING_MS = 2_000;

type WriteLimits = LimitsConfig['writes'];

/** The writes of one process, as its metrics show them. */
export interface WriteCounts {
  readonly underWay: number;
  readonly waiting: number;
  /** Since the process began. */
  readonly refused: number;
}

/** A write that waits for its turn. */
interface Waiter {
  readonly workflowId: string | undefined;
  /** Its turn has come. */
  readonly enter: () => void;
  /** It will not be carried out. */
  readonly refuse: () => void;
}

/**
 * Lets so many writes into Temporal at once, and at one workflow at most four; the others wait in the order in which
 * they came. A write is refused with `busy`, a 429 with `Retry-After`, if it has waited the longest time, or
 * comes when the queue is longer than what is carried out in that time. A refused write was sent nowhere.
 *
 * A write holds its place only while it is under way, and never waits for another one, so places always become free.
 * The later writes of a request whose first was admitted come before all others and are not refused: such a
 * request would be left half done.
 */
export class Admission {
  private readonly clock: Clock;
  private readonly limits: WriteLimits;
  private longestMs: number;
  private underWay = 0;
  private readonly underWayAt = new Map<string, number>();
  /** Both in the order in which they came. */
  private readonly continuing = new Set<Waiter>();
  private readonly waiting = new Set<Waiter>();
  /** Milliseconds: how long writes took lately, from their admission on. */
  private usualMs = 0;
  private refused = 0;

  /** @param closing - aborts when the API takes no more connections; nobody waits long from then on */
  constructor(clock: Clock, limits: WriteLimits = WRITE_LIMITS, closing?: AbortSignal) {
    this.clock = clock;
    this.limits = limits;
    this.longestMs = limits.longest_wait_seconds * 1_000;
    closing?.addEventListener('abort', () => this.close());
  }

  get counts(): WriteCounts {
    const waiting = this.continuing.size + this.waiting.size;
    return { underWay: this.underWay, waiting, refused: this.refused };
  }

  /**
   * Runs a write when its turn has come.
   *
   * @param workflowId - the workflow that it goes to; undefined for one that is made by it
   * @throws RefusalError `busy`, also if the client leaves while the write waits; and what `write` throws
   */
  async run<T>(workflowId: string | undefined, write: () => Promise<T>): Promise<T> {
    const request = currentRequest();
    if (!this.hasRoom(workflowId)) await this.turnOf(workflowId, request);
    else this.admit(workflowId);
    if (request) request.hasWritten = true;
    const began = this.clock.now();
    try {
      return await write();
    } finally {
      this.leave(workflowId, this.clock.now() - began);
    }
  }

  private async turnOf(
    workflowId: string | undefined,
    request: WritingRequest | undefined,
  ): Promise<void> {
    if (request?.hasWritten) {
      return new Promise((enter) => {
        this.continuing.add({ workflowId, enter, refuse: () => undefined });
      });
    }
    const isFull = this.waiting.size >= this.limits.waiting;
    if (isFull || this.expectedMs(workflowId) > this.longestMs || request?.left.aborted) {
      throw this.busy(workflowId);
    }
    return this.wait(workflowId, request?.left);
  }

  private async wait(workflowId: string | undefined, left?: AbortSignal): Promise<void> {
    const over = new AbortController();
    try {
      await new Promise<void>((enter, reject) => {
        const refuse = (): void => {
          if (this.waiting.delete(waiter)) reject(this.busy(workflowId));
        };
        const waiter: Waiter = { workflowId, enter, refuse };
        this.waiting.add(waiter);
        left?.addEventListener('abort', refuse, { signal: over.signal });
        this.clock.sleep(this.longestMs, over.signal).then(refuse, () => undefined);
      });
    } finally {
      over.abort(OVER);
    }
  }

  private hasRoom(workflowId: string | undefined): boolean {
    if (this.underWay >= this.limits.at_once) return false;
    return workflowId === undefined || this.countAt(workflowId) < AT_ONE_WORKFLOW;
  }

  private countAt(workflowId: string): number {
    return this.underWayAt.get(workflowId) ?? 0;
  }

  private admit(workflowId: string | undefined): void {
    this.underWay += 1;
    if (workflowId !== undefined) this.underWayAt.set(workflowId, this.countAt(workflowId) + 1);
  }

  private leave(workflowId: string | undefined, ms: number): void {
    this.usualMs = this.usualMs === 0 ? ms : this.usualMs + WEIGHT * (ms - this.usualMs);
    this.underWay -= 1;
    if (workflowId !== undefined) {
      const left = this.countAt(workflowId) - 1;
      if (left > 0) this.underWayAt.set(workflowId, left);
      else this.underWayAt.delete(workflowId);
    }
    this.admitNext(this.continuing);
    this.admitNext(this.waiting);
  }

  /** One that waits for a busy workflow keeps nobody behind it from another workflow. */
  private admitNext(waiters: Set<Waiter>): void {
    for (const waiter of waiters) {
      if (this.underWay >= this.limits.at_once) return;
      if (!this.hasRoom(waiter.workflowId)) continue;
      waiters.delete(waiter);
      this.admit(waiter.workflowId);
      waiter.enter();
    }
  }

  /** How long a write that comes now would wait. */
  private expectedMs(workflowId: string | undefined): number {
    const ahead = [...this.continuing, ...this.waiting];
    const turns = (ahead.length + 1) / this.limits.at_once;
    if (workflowId === undefined) return turns * this.usualMs;
    const before = ahead.filter((waiter) => waiter.workflowId === workflowId);
    return Math.max(turns, (before.length + 1) / AT_ONE_WORKFLOW) * this.usualMs;
  }

  private busy(workflowId: string | undefined): RefusalError {
    this.refused += 1;
    const seconds = Math.ceil((this.expectedMs(workflowId) - this.longestMs) / 1_000);
    const detail = 'Too many writes wait. Nothing was changed: send it again after Retry-After.';
    return new RefusalError(
      { code: 'busy', detail },
      { retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_AFTER) },
    );
  }

  private close(): void {
    this.longestMs = Math.min(this.longestMs, CLOSING_MS);
    const refuseAll = (): void => {
      for (const waiter of this.waiting) waiter.refuse();
    };
    const forEver = new AbortController().signal;
    this.clock.sleep(this.longestMs, forEver).then(refuseAll, () => undefined);
  }
}
