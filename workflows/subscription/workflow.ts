import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { FEED_TASK_QUEUE } from '../../contracts/constants/names.js';
import { SUBSCRIPTION_ENDS, type SubscriptionEnd } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Subscription } from '../../contracts/subscription/subscription.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { onSignal } from '../engine/handlers.js';
import { Journal } from '../engine/journal.js';
import { creationQuery, type Created } from '../engine/messages.js';
import { Entity, run, type CarriedBase, type NextInstant } from '../engine/run.js';
import { Outbox, Sender } from '../engine/sender.js';
import { judgeSpace } from '../engine/space.js';
import { startPump } from '../pump/workflow.js';
import {
  endSubscriptionSignal,
  goBackSignal,
  subscriptionQuery,
  wakeSignal,
  type SubscriptionInput,
} from './messages.js';

export type SubscriptionRun = SubscriptionInput & { readonly carried?: CarriedSubscription };

export interface CarriedSubscription extends CarriedBase {
  readonly after: number;
  /** Whether the pump has been started for it. */
  readonly begun?: boolean;
  /** Whether it has delivered all known events. */
  readonly asleep?: boolean;
  /** Why it has ended, if it ended while the run before handed over. */
  readonly ended?: SubscriptionEnd;
  readonly unwritten: readonly JournalRow[];
}

const { deliverEvents } = proxyActivities<Pick<Activities, 'deliverEvents'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'deliver events',
});

/**
 * A webhook subscription: its events are delivered in order, each at least once, until it is deleted, expires, or its
 * receiver refuses more (RFC-0006). It sleeps until the pump wakes it.
 */
export async function subscription(input: SubscriptionRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new SubscriptionEntity(input);
      onSignal(wakeSignal, Number.isSafeInteger, (upTo) => entity.wake(upTo));
      onSignal(goBackSignal, Number.isSafeInteger, (to) => entity.goBack(to));
      setHandler(subscriptionQuery, () => entity.subscription);
      setHandler(creationQuery, () => entity.creation);
      setHandler(endSubscriptionSignal, (message) => {
        if (judgeSpace(message).ok) entity.end('deleted');
      });
      return entity;
    },
    cancel(entity) {
      entity.end('deleted');
    },
    finish: (entity) => entity.finish(),
  });
}

/** The pump wakes a subscription at most every half minute. */
const MEASURED_WAKINGS = 1_000;

class SubscriptionEntity extends Entity<SubscriptionRun> {
  readonly outbox: Outbox;
  private readonly input: SubscriptionRun;
  private readonly delivery: Delivery;
  private readonly journal: Journal;
  private ended: SubscriptionEnd | undefined;
  private wakings = 0;
  private current: Subscription;

  constructor(input: SubscriptionRun) {
    super(input);
    const { subscription, carried } = input;
    this.input = input;
    this.current = subscription;
    this.ended = carried?.ended;
    this.delivery = new Delivery(input, this);
    this.journal = new Journal(carried?.unwritten);
    if (!carried) this.journal.append({ kind: 'subscription', subscription, ...this.creation });
    this.outbox = new Outbox(this.delivery, this.journal).start();
  }

  get subscription(): Subscription {
    return this.current;
  }

  get creation(): Created {
    return defined({ creation_hash: this.input.creation_hash });
  }

  get over(): boolean {
    return this.ended !== undefined;
  }

  override get nextInstant(): NextInstant {
    return { at: this.current.expires_at ?? undefined, summary: 'expires' };
  }

  get nextRun(): SubscriptionRun {
    const { ended, journal } = this;
    const { unwritten } = journal;
    return {
      ...this.input,
      carried: { ...this.delivery.carried, unwritten, ...defined({ ended }) },
    };
  }

  settleDue(): void {
    const { expires_at } = this.current;
    if (expires_at !== null && now() >= toMillis(expires_at)) this.end('expired');
  }

  get isStored(): boolean {
    return this.journal.unwritten.length === 0;
  }

  /** A receiver that is unavailable for long must not make the history too long; a new run restarts its tries. */
  wake(upTo: number): void {
    this.delivery.wake(upTo);
    if (++this.wakings % MEASURED_WAKINGS === 0) this.measure();
  }

  goBack(to: number): void {
    this.delivery.goBack(to);
  }

  /** Only the first end is kept. */
  end(reason: SubscriptionEnd): void {
    this.ended ??= reason;
  }

  async finish(): Promise<void> {
    await this.delivery.stop();
    const end = { active: false, ended_at: toInstant(now()), end_reason: this.ended ?? null };
    this.current = { ...this.current, ...end };
    this.journal.append({ kind: 'subscription', subscription: this.current, ...this.creation });
    await this.journal.drained();
  }
}

/** Delivers events, one activity after the other; each continues where the last one stopped. */
class Delivery extends Sender {
  private after: number;
  private wanted: number;
  /** The position to which the feed went back while a delivery was under way. */
  private backTo = Infinity;
  private begun: boolean;
  private asleep: boolean;
  private readonly input: SubscriptionRun;
  private readonly entity: SubscriptionEntity;

  constructor(input: SubscriptionRun, entity: SubscriptionEntity) {
    super();
    this.input = input;
    this.entity = entity;
    const { after = input.after, begun = false, asleep = false } = input.carried ?? {};
    this.after = after;
    this.wanted = after;
    this.begun = begun;
    this.asleep = asleep;
  }

  get carried(): Pick<CarriedSubscription, 'after' | 'begun' | 'asleep'> {
    const { after, begun, asleep } = this;
    return { after, begun, asleep };
  }

  /** There are events up to this position, some of which may have been delivered. */
  wake(upTo: number): void {
    this.wanted = Math.max(this.wanted, upTo);
    if (this.wanted > this.after) this.asleep = false;
  }

  /** Delivers again what follows a position, so that each event is delivered at least once. */
  goBack(to: number): void {
    this.backTo = Math.min(this.backTo, to);
    this.after = Math.min(this.after, to);
    this.wanted = Math.min(this.wanted, to);
    this.asleep = false;
  }

  protected override get ready(): boolean {
    const { over, mayMove, isStored } = this.entity;
    return !this.asleep && isStored && !over && !mayMove;
  }

  protected override async sendNext(): Promise<void> {
    const { subscription, sees_all, reader } = this.input;
    try {
      if (!this.begun) await startPump();
      this.begun = true;
      this.backTo = Infinity;
      const request = { subscription, sees_all, ...defined({ reader }), after: this.after };
      // The activity delivers at least to the present end of the feed. The pump wakes the subscription for later
      // events.
      const { after, more = false } = await deliverEvents(request);
      const isBack = this.backTo <= after;
      this.after = Math.min(after, this.backTo);
      this.asleep = !more && !isBack && this.wanted <= after;
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
