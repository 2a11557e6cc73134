import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { FEED_TASK_QUEUE } from '../../contracts/constants/names.js';
import { SUBSCRIPTION_ENDS } from '../../contracts/constants/statuses.js';
import type { SubscriptionEnd } from '../../contracts/constants/statuses.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import { now, waitUntil } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { sendInOrder } from '../engine/outbox.js';
import { isRunLong, watchCancellation } from '../engine/run.js';
import { endSubscriptionSignal, subscriptionQuery } from './messages.js';
import type { SubscriptionInput } from './messages.js';

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
export async function subscription(input: SubscriptionInput): Promise<void> {
  const cancelRequested = watchCancellation();
  return CancellationScope.nonCancellable(async () => {
    const delivery = new Delivery(input);
    const journal = new Journal(input.carried?.unwritten);
    void sendInOrder(journal);
    if (!input.carried) {
      journal.append({ kind: 'subscription', subscription: input.subscription });
    }
    let current = input.subscription;
    setHandler(subscriptionQuery, () => current);
    setHandler(endSubscriptionSignal, () => delivery.end('deleted'));
    await delivery.untilOver(cancelRequested);
    if (cancelRequested()) delivery.end('deleted');
    await delivery.stop();
    if (delivery.ended === undefined) {
      await journal.stop();
      const carried = { after: delivery.after, unwritten: journal.unwritten };
      await continueAsNew<typeof subscription>({ ...input, carried });
    }
    const end = { active: false, ended_at: toInstant(now()), end_reason: delivery.ended ?? null };
    current = { ...current, ...end };
    journal.append({ kind: 'subscription', subscription: current });
    await journal.drained();
  });
}

/** The delivering, one activity after the other; each goes on where the last one came to. */
class Delivery {
  after: number;
  ended: SubscriptionEnd | undefined;
  private readonly input: SubscriptionInput;
  private readonly scope = new CancellationScope({ cancellable: true });
  private stopped = false;

  constructor(input: SubscriptionInput) {
    this.input = input;
    this.after = input.carried?.after ?? input.after;
    void this.scope.run(() => this.run());
  }

  /** The first end counts. */
  end(reason: SubscriptionEnd): void {
    this.ended ??= reason;
  }

  async untilOver(cancelRequested: () => boolean): Promise<void> {
    const over = (): boolean => this.stopped || this.ended !== undefined || cancelRequested();
    const { expires_at } = this.input.subscription;
    if (expires_at === null) await condition(over);
    else await waitUntil(expires_at, over, 'expires');
    if (expires_at !== null && !over() && now() >= toMillis(expires_at)) this.end('expired');
  }

  async stop(): Promise<void> {
    this.scope.cancel();
    await condition(() => this.stopped);
  }

  private async run(): Promise<void> {
    const { subscription, sees_all, history_limit } = this.input;
    try {
      while (!isRunLong(history_limit)) {
        const delivered = await deliverEvents({ subscription, sees_all, after: this.after });
        this.after = delivered.after;
      }
    } catch (error) {
      if (!isCancellation(error)) this.end(reasonOf(error));
    }
    this.stopped = true;
  }
}

function reasonOf(error: unknown): SubscriptionEnd {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return SUBSCRIPTION_ENDS.find((reason) => reason === type) ?? 'failed';
}
