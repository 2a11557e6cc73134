import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { DELIVERY_TASK_QUEUE } from '../../contracts/constants/names.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import type { TimelineKind } from '../../contracts/suspension/suspension.js';
import { longestPauseMs } from '../../domain/suspension/telling/notifications.js';
import { toMillis } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import type { QuestionDuty } from '../engine/row-duty.js';

/** The options of one try of a delivery; the caller decides how often it is tried. */
export const ONE_TRY = {
  taskQueue: DELIVERY_TASK_QUEUE,
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '5 seconds',
  cancellationType: 'TRY_CANCEL',
} as const;

const { notify } = proxyActivities<Pick<Activities, 'notify'>>(ONE_TRY);

/** The ids of unfinished deliveries, because a delivery itself would contain the whole question. */
export type CarriedDeliveries = readonly string[];

/** Notes how a delivery ended, and when if that is known. */
export type DeliveryNote = (kind: TimelineKind, detail: JsonObject, at?: string) => void;

/** Deliveries run beside the timers and are retried until the next attempt, so that a broken channel delays nothing. */
export class Deliveries {
  private readonly running = new Map<
    string,
    { request: NotificationRequest; scope: CancellationScope }
  >();
  private readonly duty: QuestionDuty;
  private readonly note: DeliveryNote;
  private handingOver = false;

  constructor(duty: QuestionDuty, note: DeliveryNote) {
    this.duty = duty;
    this.note = note;
  }

  /** Starts a delivery that is given up when the next attempt is due, or the question expires. */
  start(request: NotificationRequest): void {
    const scope = new CancellationScope({ cancellable: true });
    this.running.set(request.delivery_id, { request, scope });
    void scope.run(() => this.deliver(request));
  }

  get idle(): boolean {
    return this.running.size === 0;
  }

  /** Cancels deliveries that are still being tried, and notes them as superseded. */
  async supersede(): Promise<void> {
    for (const { scope } of this.running.values()) scope.cancel();
    await condition(() => this.running.size === 0);
  }

  get unfinished(): CarriedDeliveries {
    return [...this.running.keys()];
  }

  /** Continues the unfinished deliveries of the run before, among all notifications of the question. */
  resume(undelivered: CarriedDeliveries, all: readonly NotificationRequest[]): void {
    for (const id of undelivered) {
      const request = all.find(({ delivery_id }) => delivery_id === id);
      if (request) this.start(request);
    }
  }

  /** Cancels deliveries without a note; they stay in `unfinished`. */
  handOver(): void {
    this.handingOver = true;
    for (const { scope } of this.running.values()) scope.cancel();
  }

  private async deliver(request: NotificationRequest): Promise<void> {
    const { delivery_id, attempt, channel_hint, notify_to } = request;
    const windowMs = windowOf(request);
    const detail = { delivery_id, attempt, channel_hint, notify_to };
    const taken = this.duty.takeForDelivery();
    try {
      const receipt = await notify.executeWithOptions(
        {
          summary: `notify ${notify_to ?? channel_hint ?? 'the default channel'}, attempt ${attempt}`,
          ...defined({ scheduleToCloseTimeout: windowMs }),
          retry: {
            initialInterval: '1 second',
            backoffCoefficient: 2,
            maximumInterval: longestPauseMs(windowMs),
          },
        },
        taken ? [request, taken.beside] : [request],
      );
      const { delivered_at, row_written = false, ...how } = receipt;
      if (taken) this.duty.delivered(taken, row_written);
      this.note('delivered', { ...detail, ...how }, delivered_at);
    } catch (error) {
      if (isCancellation(error) && this.handingOver) return;
      if (isCancellation(error)) this.note('delivery_superseded', detail);
      else this.note('delivery_failed', { ...detail, ...reasonOf(error) });
    }
    this.running.delete(delivery_id);
  }
}

/** Milliseconds until the next attempt or the expiry, at least a second; undefined if there is neither. */
function windowOf({ next_attempt_at, expires_at }: NotificationRequest): number | undefined {
  const until = next_attempt_at ?? expires_at;
  return until === undefined ? undefined : Math.max(1_000, toMillis(until) - now());
}

function reasonOf(error: unknown): JsonObject {
  const cause = lastFailure(error instanceof ActivityFailure ? error.cause : error);
  if (cause instanceof ApplicationFailure && cause.type) {
    return { error: cause.type, message: cause.message };
  }
  return { error: 'gave_up', message: cause instanceof Error ? cause.message : 'unknown' };
}

/** After a timeout, returns why the last try failed, if that is known. */
function lastFailure(error: unknown): unknown {
  return error instanceof TimeoutFailure ? (error.cause ?? error) : error;
}
