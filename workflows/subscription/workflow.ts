import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { FEED_TASK_QUEUE } from '../../contracts/constants/names.js';
import { SUBSCRIPTION_ENDS } from '../../contracts/constants/statuses.js';
import type { SubscriptionEnd } from '../../contracts/constants/statuses.js';
import type { Subscription } from '../../contracts/subscription.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { Entity, run, type NextInstant } from '../engine/run.js';
import { Outbox, Sender } from '../engine/sender.js';
import type { SubscriptionRun } from './carried.js';
import { endSubscriptionSignal, subscriptionQuery } from './messages.js';

const { deliverEvents } = proxyActivities<Pick<Activities, 'deliverEvents'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'deliver events',
});

/**
 * A webhook subscription: its events are delivered in their order, each at least once, until it is
 * deleted, expires, or its receiver asks for no more (RFC-0006).
 */
export async function subscription(input: SubscriptionRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new SubscriptionEntity(input);
      setHandler(subscriptionQuery, () => entity.subscription);
      setHandler(endSubscriptionSignal, () => {
        entity.end('deleted');
      });
      return entity;
    },
    cancel(entity) {
      entity.end('deleted');
    },
    finish: (entity) => entity.finish(),
  });
}

/** The subscription's state in this run. */
class SubscriptionEntity extends Entity<SubscriptionRun> {
  readonly outbox: Outbox;
  private readonly input: SubscriptionRun;
  private readonly delivery: Delivery;
  private readonly journal: Journal;
  private ended: SubscriptionEnd | undefined;
  private current: Subscription;

  constructor(input: SubscriptionRun) {
    super(input);
    const { subscription, carried } = input;
    this.input = input;
    this.current = subscription;
    this.ended = carried?.ended;
    this.delivery = new Delivery(input, this);
    this.journal = new Journal(carried?.unwritten);
    if (!carried) this.journal.append({ kind: 'subscription', subscription });
    this.outbox = new Outbox(this.delivery, this.journal).start();
  }

  get subscription(): Subscription {
    return this.current;
  }

  get over(): boolean {
    return this.ended !== undefined;
  }

  override get nextInstant(): NextInstant {
    return { at: this.current.expires_at ?? undefined, summary: 'expires' };
  }

  get nextRun(): SubscriptionRun {
    const { ended } = this;
    const carried = {
      after: this.delivery.after,
      unwritten: this.journal.unwritten,
      ...(ended && { ended }),
    };
    return { ...this.input, carried };
  }

  settleDue(): void {
    const { expires_at } = this.current;
    if (expires_at !== null && now() >= toMillis(expires_at)) this.end('expired');
  }

  /** The first end counts. */
  end(reason: SubscriptionEnd): void {
    this.ended ??= reason;
  }

  async finish(): Promise<void> {
    await this.delivery.stop();
    const end = { active: false, ended_at: toInstant(now()), end_reason: this.ended ?? null };
    this.current = { ...this.current, ...end };
    this.journal.append({ kind: 'subscription', subscription: this.current });
    await this.journal.drained();
  }
}

/** Delivers events, one activity after the other; each goes on where the last one came to. */
class Delivery extends Sender {
  after: number;
  private readonly input: SubscriptionRun;
  private readonly entity: SubscriptionEntity;

  constructor(input: SubscriptionRun, entity: SubscriptionEntity) {
    super();
    this.input = input;
    this.entity = entity;
    this.after = input.carried?.after ?? input.after;
  }

  protected override get ready(): boolean {
    return !this.entity.over && !this.entity.mayMove;
  }

  protected override async sendNext(): Promise<void> {
    const { subscription, sees_all } = this.input;
    try {
      const delivered = await deliverEvents({ subscription, sees_all, after: this.after });
      this.after = delivered.after;
      this.entity.measure();
    } catch (error) {
      if (isCancellation(error)) throw error;
      this.entity.end(reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): SubscriptionEnd {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return SUBSCRIPTION_ENDS.find((reason) => reason === type) ?? 'failed';
}
