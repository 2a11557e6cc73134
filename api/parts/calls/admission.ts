import { WRITE_LIMITS, type LimitsConfig } from '../../../contracts/server/config.js';
import { RefusalError } from '../../errors.js';
import { OVER, type Clock } from './deadline.js';
import { currentRequest, noteAdmitted, type WritingRequest } from './request.js';

/** Milliseconds after which a write counts as late, unless writes take about as long when there is no other. */
const LATE_MS = 300;
const TIMES_QUICKEST = 2.5;
/** Milliseconds after which a write counts as late in any case. */
const LATE_ANYHOW_MS = 1_000;

/** The least number of places: one write that takes long for a reason of its own holds up few others. */
const LEAST = 4;

/**
 * How many places one late write takes away. All places together gain one with a round of writes in time, so about
 * one write in five is late in the end.
 */
const LATE_STEP = 0.5;

/** The quickest of so many writes, and of as many before them, shows how long a write takes when there is no other. */
const REMEMBERED = 200;

/**
 * How many writes of a process may be under way at once: as many as are carried out in time. It grows by one for each round of
 * writes in time, while all places are taken, and shrinks by half a place for each late one.
 */
export class Places {
  private readonly most: number;
  private limit: number;
  private quickest = { now: Infinity, before: Infinity };
  private measured = 0;

  /** @param most - the maximum, and the number at first */
  constructor(most: number) {
    this.most = most;
    this.limit = most;
  }

  get count(): number {
    return Math.floor(this.limit);
  }

  /** Further places, which only people's answers take. */
  get forAnswers(): number {
    return Math.ceil(this.count / 4);
  }

  /**
   * Notes that a write was carried out.
   *
   * @param ms - how long it held its place
   * @param taken - how many places were taken then
   */
  carriedOut(ms: number, taken: number): void {
    this.remember(ms);
    if (ms > this.lateMs) this.late(taken);
    else if (taken >= this.count) this.limit = Math.min(this.most, this.limit + 1 / this.limit);
  }

  /** Notes that a write was late. If few places were taken, it was late for another reason. */
  late(taken: number): void {
    if (taken * 2 < this.count) return;
    const least = Math.min(LEAST, this.most);
    this.limit = Math.max(least, this.limit - LATE_STEP);
  }

  /** Notes that no worker is there: then the writes do not wait for each other. */
  deserted(): void {
    this.limit = this.most;
  }

  private get lateMs(): number {
    const { now, before } = this.quickest;
    const usual = TIMES_QUICKEST * Math.min(now, before);
    return Math.min(Math.max(LATE_MS, usual), LATE_ANYHOW_MS);
  }

  private remember(ms: number): void {
    this.measured += 1;
    const { now } = this.quickest;
    const isNext = this.measured % REMEMBERED === 0;
    this.quickest = isNext
      ? { now: ms, before: now }
      : { ...this.quickest, now: Math.min(now, ms) };
  }
}

/** How many Updates of this process may be under way at one workflow; Temporal takes ten. */
const AT_ONE_WORKFLOW = 4;

/** How much the latest write counts in the mean of how long writes take. */
const WEIGHT = 0.05;

/** The longest `Retry-After`, in seconds. */
const LONGEST_RETRY_AFTER = 60;

/** How long writes may still wait once the API closes: those under way need the rest of its 12 s. */
const CLOSING_MS = 2_000;

type WriteLimits = LimitsConfig['writes'];

export interface WriteCounts {
  /** How many may be under way at once. */
  readonly places: number;
  /** Includes writes whose follow-up work is not done. */
  readonly underWay: number;
  readonly waiting: number;
  readonly refused: number;
}

export interface Place {
  /** Notes that a worker has carried out the write: the time until then shows how busy the worker is. */
  readonly carriedOut: () => void;
  /** Notes that no worker took the write in its time. */
  readonly unanswered: () => void;
  /** Holds the place until the follow-up work of the write is done. Nobody waits for that work, and it may fail. */
  readonly holdFor: (followUp: Promise<unknown>) => void;
}

/** What is known about a write when it frees its place. */
interface Held {
  readonly workflowId: string | undefined;
  readonly began: number;
  /** How many writes of the process had been carried out when it began. */
  readonly before: number;
  end?: 'carried out' | 'unanswered';
  followUp?: Promise<unknown>;
}

interface Wanted {
  readonly workflowId: string | undefined;
  /** An answer may take the places reserved for answers too. */
  readonly isAnswer: boolean;
}

interface Waiter extends Wanted {
  readonly enter: () => void;
  /** Ends the wait; the write will not be carried out. */
  readonly refuse: () => void;
}

/**
 * Admits as many writes to Temporal at once as are carried out in time, at most four at one workflow; the others wait
 * in order, people's answers first, which also have places of their own. A write that has waited too long, or would,
 * is refused with `busy` (429 with `Retry-After`) and was sent nowhere.
 *
 * A write holds its place until it and its follow-up work are done. Later writes of an admitted request come first
 * and are not refused, because the request would stay half done.
 */
export class Admission {
  private readonly clock: Clock;
  private readonly limits: WriteLimits;
  private readonly places: Places;
  private longestMs: number;
  private underWay = 0;
  private readonly underWayAt = new Map<string, number>();
  /** Each set keeps the order of arrival. */
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

  /** Whether one more write may wait. An answer takes the place of the last waiting write that is no answer. */
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

  /** Admits waiting writes in order. One that waits for a busy workflow does not hold up writes to other workflows. */
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
