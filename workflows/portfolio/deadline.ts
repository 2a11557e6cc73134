import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { DeadlineBatch } from '../../contracts/portfolio.js';
import { toMillis } from '../../domain/kernel/time.js';
import { isOverdue } from '../../domain/portfolio/members.js';
import { now } from '../engine/clock.js';
import type { Sender } from '../engine/outbox.js';
import type { Members } from './members.js';

/** What a deadline has done so far; outlives a run. */
export interface CarriedDeadline {
  /** The deadline that has come. */
  readonly reached?: string;
  /** The last that has come, also where another was set since. */
  readonly ended_by?: string;
  /** Members since after it had come; it is none of theirs. */
  readonly latecomers: readonly string[];
  /** Questions that it has still to end. */
  readonly overdue: readonly string[];
  /** Intents, by id, whose wait for a question it has still to end. */
  readonly overdue_waits?: readonly string[];
}

/** The deadline of a portfolio: it ends what is open when it comes, and nothing that comes after (R26-27). */
export class Deadline {
  private readonly expiry: Expiry;
  /** Of waits for questions that have not come. */
  private readonly abandoning: Expiry;
  private latecomers: Set<string>;
  private last: string | undefined;
  /** What is overdue still ends by it when the deadline is moved meanwhile. */
  private endedBy: string | undefined;

  constructor(portfolio_id: string, carried?: CarriedDeadline, batch?: number) {
    this.last = carried?.reached;
    this.endedBy = carried?.ended_by ?? carried?.reached;
    this.latecomers = new Set(carried?.latecomers);
    const due = () => ({ portfolio_id, deadline: this.endedBy ?? '' });
    const questions = (suspension_ids: readonly string[]) => ({ ...due(), suspension_ids });
    this.expiry = new Expiry(questions, carried?.overdue, batch);
    const waits = (intent_ids: readonly string[]) => ({
      ...due(),
      suspension_ids: [],
      intent_ids,
    });
    this.abandoning = new Expiry(waits, carried?.overdue_waits, batch);
  }

  get senders(): readonly Sender[] {
    return [this.expiry, this.abandoning];
  }

  get reached(): string | undefined {
    return this.last;
  }

  get carried(): CarriedDeadline {
    return {
      ...(this.last !== undefined && { reached: this.last }),
      ...(this.endedBy !== undefined && { ended_by: this.endedBy }),
      latecomers: [...this.latecomers],
      overdue: this.expiry.carried,
      overdue_waits: this.abandoning.carried,
    };
  }

  /** The deadline is another one from now on, or there is none. */
  moved(): void {
    this.last = undefined;
    this.latecomers = new Set();
  }

  /** Whether a deadline comes now, by `at` (ms); it comes once. */
  comes(deadline: string | undefined, at: number): boolean {
    if (deadline === undefined || deadline === this.last || toMillis(deadline) > at) return false;
    this.last = deadline;
    this.endedBy = deadline;
    return true;
  }

  joined(intentId: string): void {
    if (this.last !== undefined) this.latecomers.add(intentId);
  }

  left(intentId: string): void {
    this.latecomers.delete(intentId);
  }

  /** Resolves once everything that is overdue has been told. */
  async told(): Promise<void> {
    await this.expiry.told();
    await this.abandoning.told();
  }

  /** Gives up what is under way; it is told again by who takes over `carried`. */
  async stop(): Promise<void> {
    await this.expiry.stop();
    await this.abandoning.stop();
  }

  /** Ends the open questions of all members, or of one, that are overdue, and waits for such. */
  endOverdue(members: Members, only?: string): void {
    const { last } = this;
    if (last === undefined) return;
    const at = now();
    const overdue = members.suspended((member) => isOverdue(member, last, at), only);
    for (const { intent_id, suspension_id } of overdue) {
      if (this.latecomers.has(intent_id)) continue;
      if (suspension_id === undefined) this.abandoning.add(intent_id);
      else this.expiry.add(suspension_id);
    }
  }
}

const { expireQuestions } = proxyActivities<Pick<Activities, 'expireQuestions'>>({
  startToCloseTimeout: '60 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  cancellationType: 'TRY_CANCEL',
  summary: 'end questions at the deadline',
});

/** Ends what a deadline that has come ends, in batches, each tried for ever (R26-27). */
export class Expiry implements Sender {
  private readonly batchOf: (ids: readonly string[]) => DeadlineBatch;
  private readonly batch: number;
  private readonly waiting: Set<string>;
  private underWay: readonly string[] = [];
  private readonly scope = new CancellationScope({ cancellable: true });
  private stopped = false;
  private ended = true;

  constructor(
    batchOf: (ids: readonly string[]) => DeadlineBatch,
    carried: readonly string[] = [],
    batch: number = WORKFLOW_LIMITS.deadlineBatch,
  ) {
    this.batchOf = batchOf;
    this.batch = batch;
    this.waiting = new Set(carried);
  }

  /** Ids of what may not have been told. */
  get carried(): readonly string[] {
    return [...new Set([...this.underWay, ...this.waiting])];
  }

  add(id: string): void {
    if (!this.underWay.includes(id)) this.waiting.add(id);
  }

  get due(): boolean {
    return !this.stopped && this.underWay.length === 0 && this.waiting.size > 0;
  }

  send(): void {
    this.underWay = [...this.waiting].slice(0, this.batch);
    for (const id of this.underWay) this.waiting.delete(id);
    void this.scope.run(() => this.expire());
  }

  /** Resolves once everything has been told. */
  async told(): Promise<void> {
    await condition(() => this.carried.length === 0);
  }

  /** Gives up what is under way; it is told again by who takes over `carried`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await condition(() => this.ended);
  }

  private async expire(): Promise<void> {
    this.ended = false;
    try {
      await expireQuestions(this.batchOf(this.underWay));
      this.underWay = [];
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    } finally {
      this.ended = true;
    }
  }
}
