import { WRITE_LIMITS } from '../../../contracts/server/config.js';
import type { LimitsConfig } from '../../../contracts/server/config.js';
import { RefusalError } from '../../errors.js';
import { OVER } from './deadline.js';
import type { Clock } from './deadline.js';
import { Places } from './places.js';
import { currentRequest, noteAdmitted } from './request.js';
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
  /** How many may be under way at once. */
  readonly places: number;
  /** With those of which what they led to is still under way. */
  readonly underWay: number;
  readonly waiting: number;
  /** Since the process began. */
  readonly refused: number;
}

/** The place of a write that was let in. */
export interface Place {
  /** A worker has carried the write out: how long it takes until the place is free tells how busy the worker is. */
  readonly carriedOut: () => void;
  /** No worker took the write in its time. */
  readonly unanswered: () => void;
  /** What the write has led to holds the place as well, until it is done. Nobody waits for that, and it may fail. */
  readonly holdFor: (followUp: Promise<unknown>) => void;
}

/** What has become of a write by the time its place is free. */
interface Held {
  readonly workflowId: string | undefined;
  readonly began: number;
  /** How many writes of the process had been carried out when it began. */
  readonly before: number;
  end?: 'carried out' | 'unanswered';
  followUp?: Promise<unknown>;
}

/** What a write needs to be let in. */
interface Wanted {
  readonly workflowId: string | undefined;
  /** It takes the places of answers too. */
  readonly isAnswer: boolean;
}

/** A write that waits for its turn. */
interface Waiter extends Wanted {
  /** Its turn has come. */
  readonly enter: () => void;
  /** It will not be carried out. */
  readonly refuse: () => void;
}

/**
 * Lets as many writes into Temporal at once as are carried out in time, and at one workflow at most four; the others wait in
 * the order in which they came, people's answers before what agents write. Answers have some places of their own. A write is refused with
 * `busy`, a 429 with `Retry-After`, if it has waited the longest time, or comes when the queue is longer than what is carried
 * out in that time; an answer only if there are too many answers. A refused write was sent nowhere.
 *
 * A write holds its place while it is under way, and so does what it has led to. Neither waits for another write, so places
 * always become free. The later writes of a request whose first was admitted come before all others and are not refused:
 * such a request would be left half done.
 */
export class Admission {
  private readonly clock: Clock;
  private readonly limits: WriteLimits;
  private readonly places: Places;
  private longestMs: number;
  private underWay = 0;
  private readonly underWayAt = new Map<string, number>();
  /** All in the order in which they came. */
  private readonly continuing = new Set<Waiter>();
  private readonly answers = new Set<Waiter>();
  private readonly waiting = new Set<Waiter>();
  /** Milliseconds: how long writes held their places lately. */
  private usualMs = 0;
  private carriedOut = 0;
  private refused = 0;

  /** @param closing - aborts when the API takes no more connections; nobody waits long from then on */
  constructor(clock: Clock, limits: WriteLimits = WRITE_LIMITS, closing?: AbortSignal) {
    this.clock = clock;
    this.limits = limits;
    this.places = new Places(limits.at_once);
    this.longestMs = limits.longest_wait_seconds * 1_000;
    closing?.addEventListener('abort', () => this.close());
  }

  get counts(): WriteCounts {
    const waiting = this.continuing.size + this.answers.size + this.waiting.size;
    const { underWay, refused } = this;
    return { places: this.places.count, underWay, waiting, refused };
  }

  /**
   * Runs a write when its turn has come.
   *
   * @param workflowId - the workflow that it goes to; undefined for one that is made by it
   * @param isAnswer - whether it is a person's answer
   * @throws RefusalError `busy`, also if the client leaves while the write waits; and what `write` throws
   */
  async run<T>(
    workflowId: string | undefined,
    write: (place: Place) => Promise<T>,
    isAnswer = false,
  ): Promise<T> {
    const request = currentRequest();
    const came = this.clock.now();
    const wanted = { workflowId, isAnswer };
    if (!this.hasRoom(wanted)) await this.turnOf(wanted, request);
    else this.admit(workflowId);
    const began = this.clock.now();
    if (request) noteAdmitted(request, began - came);
    const held: Held = { workflowId, began, before: this.carriedOut };
    try {
      return await write(placeOf(held));
    } finally {
      const leave = (): void => this.leave(held);
      if (held.followUp === undefined) leave();
      else held.followUp.then(leave, leave);
    }
  }

  private async turnOf(wanted: Wanted, request: WritingRequest | undefined): Promise<void> {
    if (request?.hasWritten) {
      return new Promise((enter) => {
        this.continuing.add({ ...wanted, enter, refuse: () => undefined });
      });
    }
    if (this.expectedMs(wanted) > this.longestMs || request?.left.aborted) throw this.busy(wanted);
    if (!this.makesRoomFor(wanted)) throw this.busy(wanted);
    return this.wait(wanted, request?.left);
  }

  /** Whether one more may wait. An answer takes the place of the last that is none. */
  private makesRoomFor({ isAnswer }: Wanted): boolean {
    if (this.answers.size + this.waiting.size < this.limits.waiting) return true;
    const last = isAnswer ? [...this.waiting].at(-1) : undefined;
    last?.refuse();
    return last !== undefined;
  }

  private async wait(wanted: Wanted, left?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const queue = wanted.isAnswer ? this.answers : this.waiting;
    try {
      await new Promise<void>((enter, reject) => {
        const refuse = (): void => {
          if (queue.delete(waiter)) reject(this.busy(wanted));
        };
        const waiter: Waiter = { ...wanted, enter, refuse };
        queue.add(waiter);
        left?.addEventListener('abort', refuse, { signal: over.signal });
        this.clock.sleep(this.longestMs, over.signal).then(refuse, () => undefined);
      });
    } finally {
      over.abort(OVER);
    }
  }

  private hasRoom({ workflowId, isAnswer }: Wanted): boolean {
    const { count, forAnswers } = this.places;
    if (this.underWay >= count + (isAnswer ? forAnswers : 0)) return false;
    return workflowId === undefined || this.countAt(workflowId) < AT_ONE_WORKFLOW;
  }

  private countAt(workflowId: string): number {
    return this.underWayAt.get(workflowId) ?? 0;
  }

  private admit(workflowId: string | undefined): void {
    this.underWay += 1;
    if (workflowId !== undefined) this.underWayAt.set(workflowId, this.countAt(workflowId) + 1);
  }

  private leave(held: Held): void {
    const ms = this.clock.now() - held.began;
    this.usualMs = this.usualMs === 0 ? ms : this.usualMs + WEIGHT * (ms - this.usualMs);
    this.measure(held, ms);
    const { workflowId } = held;
    this.underWay -= 1;
    if (workflowId !== undefined) {
      const left = this.countAt(workflowId) - 1;
      if (left > 0) this.underWayAt.set(workflowId, left);
      else this.underWayAt.delete(workflowId);
    }
    this.admitNext(this.continuing);
    this.admitNext(this.answers);
    this.admitNext(this.waiting);
  }

  private measure({ end, before }: Held, ms: number): void {
    if (end === 'carried out') {
      this.carriedOut += 1;
      this.places.carriedOut(ms, this.underWay);
    } else if (end === 'unanswered') {
      if (this.carriedOut === before) this.places.deserted();
      else this.places.late(this.underWay);
    }
  }

  /** One that waits for a busy workflow keeps nobody behind it from another workflow. */
  private admitNext(waiters: Set<Waiter>): void {
    const { count, forAnswers } = this.places;
    for (const waiter of waiters) {
      if (this.underWay >= count + forAnswers) return;
      if (!this.hasRoom(waiter)) continue;
      waiters.delete(waiter);
      this.admit(waiter.workflowId);
      waiter.enter();
    }
  }

  /** How long a write that comes now would wait. */
  private expectedMs({ workflowId, isAnswer }: Wanted): number {
    const ahead = [...this.continuing, ...this.answers, ...(isAnswer ? [] : this.waiting)];
    const turns = (ahead.length + 1) / this.places.count;
    if (workflowId === undefined) return turns * this.usualMs;
    const before = ahead.filter((waiter) => waiter.workflowId === workflowId);
    return Math.max(turns, (before.length + 1) / AT_ONE_WORKFLOW) * this.usualMs;
  }

  private busy(wanted: Wanted): RefusalError {
    this.refused += 1;
    const seconds = Math.ceil((this.expectedMs(wanted) - this.longestMs) / 1_000);
    const detail = 'Too many writes wait. Nothing was changed: send it again after Retry-After.';
    return new RefusalError(
      { code: 'busy', detail },
      { retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_AFTER) },
    );
  }

  private close(): void {
    this.longestMs = Math.min(this.longestMs, CLOSING_MS);
    const refuseAll = (): void => {
      for (const waiter of [...this.answers, ...this.waiting]) waiter.refuse();
    };
    const forEver = new AbortController().signal;
    this.clock.sleep(this.longestMs, forEver).then(refuseAll, () => undefined);
  }
}

function placeOf(held: Held): Place {
  return {
    carriedOut: () => {
      held.end = 'carried out';
    },
    unanswered: () => {
      held.end = 'unanswered';
    },
    holdFor: (followUp) => {
      held.followUp = followUp;
    },
  };
}
