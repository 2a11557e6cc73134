import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { DeadlineBatch } from '../../contracts/deadline.js';
import type { Sender } from '../support/outbox.js';

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
