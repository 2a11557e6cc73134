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
import { SUBSCRIPTION_ENDS } from '../../contracts/constants/statuses.js';
import type { SubscriptionEnd } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Subscription } from '../../contracts/subscription/subscription.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { onSignal } from '../engine/handlers.js';
import { Journal } from '../engine/journal.js';
import { creationQuery } from '../engine/messages.js';
import type { Created } from '../engine/messages.js';
import { Entity, run } from '../engine/run.js';
import type { CarriedBase, NextInstant } from '../engine/run.js';
import { Outbox, Sender } from '../engine/sender.js';
import { judgeSpace } from '../engine/space.js';
import { startPump } from '../pump/workflow.js';
import { endSubscriptionSignal, goBackSignal, subscriptionQuery, wakeSignal } from './messages.js';
import type { SubscriptionInput } from './messages.js';

/** What starts a run of a subscription. */
export type SubscriptionRun = SubscriptionInput & { readonly carried?: CarriedSubscription };

/** State that outlives a run. */
export interface CarriedSubscription extends CarriedBase {
  readonly after: number;
  /** Whether the pump knows of it. */
  readonly begun?: boolean;
  /** Whether it has delivered everything that it knows of. */
  readonly asleep?: boolean;
  /** Why it has ended, where that came while the run before handed over. */
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
 * A webhook subscription: its events are delivered in their order, each at least once, until it is
 * deleted, expires, or its receiver asks for no more (RFC-0006). It sleeps until the pump wakes it.
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

/** The pump wakes at most every half minute. */
const MEASURED_WAKINGS = 1_000;

/** The subscription's state in this run. */
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

  /** The hash under which it was created, if it has one. */
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

  /** Whether the pump can know of it. */
  get isStored(): boolean {
    return this.journal.unwritten.length === 0;
  }

  /** A receiver that is away for long must not make the history too long; a new run tries it from the start. */
  wake(upTo: number): void {
    this.delivery.wake(upTo);
    if (++this.wakings % MEASURED_WAKINGS === 0) this.measure();
  }

  goBack(to: number): void {
    this.delivery.goBack(to);
  }

  /** The first end counts. */
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

/** Delivers events, one activity after the other; each goes on where the last one came to. */
class Delivery extends Sender {
  private after: number;
  /** The latest position that it was woken for. */
  private wanted: number;
  /** How far the feed went back while a delivery was under way. */
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

  /** There are events up to this position, which it may have delivered. */
  wake(upTo: number): void {
    this.wanted = Math.max(this.wanted, upTo);
    if (this.wanted > this.after) this.asleep = false;
  }

  /** It has to deliver again what comes after a position: each event at least once. */
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
      // It comes at least to the end of the feed as it is now. The pump wakes it for what follows.
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
