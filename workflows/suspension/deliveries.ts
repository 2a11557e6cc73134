import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  patched,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { DELIVERY_TASK_QUEUE } from '../../contracts/constants/names.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { TimelineKind } from '../../contracts/suspension.js';
import { longestPauseMs } from '../../domain/suspension/notifications.js';
import { toMillis } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import type { Opening } from './opening.js';

/** One try of any delivery; how often it is tried is for who starts it. */
export const ONE_TRY = {
  taskQueue: DELIVERY_TASK_QUEUE,
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '5 seconds',
  cancellationType: 'TRY_CANCEL',
} as const;

const { notify } = proxyActivities<Pick<Activities, 'notify'>>(ONE_TRY);

/**
 * Deliveries that have not ended, by their ids: each would take the whole question. What an older release handed over
 * is the deliveries themselves.
 */
export type CarriedDeliveries = readonly (string | Pick<NotificationRequest, 'delivery_id'>)[];

function idOf(delivery: CarriedDeliveries[number]): string {
  return typeof delivery === 'string' ? delivery : delivery.delivery_id;
}

/** Newer histories tell what an approval is about, which Slack shows. */
const TELLS_PROPOSALS = 'holdpoint-tells-proposals';

/** Takes note of how a delivery ended, and when if that is known. */
export type DeliveryNote = (kind: TimelineKind, detail: JsonObject, at?: string) => void;

/**
 * Deliveries run beside the timers and retry on their own until the next attempt takes over; how
 * each ended is noted. A dead channel delays nothing.
 */
export class Deliveries {
  private readonly running = new Map<
    string,
    { request: NotificationRequest; scope: CancellationScope }
  >();
  private readonly opening: Pick<Opening, 'take' | 'delivered'>;
  private readonly note: DeliveryNote;
  private handingOver = false;

  constructor(opening: Pick<Opening, 'take' | 'delivered'>, note: DeliveryNote) {
    this.opening = opening;
    this.note = note;
  }

  /** Starts a delivery that gives up when the next attempt is due, or the question expires. */
  start(told: NotificationRequest): void {
    const request = withProposal(told);
    const scope = new CancellationScope({ cancellable: true });
    this.running.set(request.delivery_id, { request, scope });
    void scope.run(() => this.deliver(request));
  }

  /** Whether nothing is being tried. */
  get idle(): boolean {
    return this.running.size === 0;
  }

  /** Ends what is still being tried; noted as superseded. */
  async supersede(): Promise<void> {
    for (const { scope } of this.running.values()) scope.cancel();
    await condition(() => this.running.size === 0);
  }

  /** What has not ended yet, for the next run to try again. */
  get unfinished(): CarriedDeliveries {
    return [...this.running.keys()];
  }

  /** Goes on with what the run before had not delivered, of all that the question may tell. */
  resume(undelivered: CarriedDeliveries, all: readonly NotificationRequest[]): void {
    for (const one of undelivered) {
      const request = all.find(({ delivery_id }) => delivery_id === idOf(one));
      if (request) this.start(request);
    }
  }

  /** Ends what is still being tried without a note; it stays in `unfinished`. */
  handOver(): void {
    this.handingOver = true;
    for (const { scope } of this.running.values()) scope.cancel();
  }

  private async deliver(request: NotificationRequest): Promise<void> {
    const { delivery_id, attempt, channel_hint, notify_to } = request;
    const windowMs = windowOf(request);
    const detail = { delivery_id, attempt, channel_hint, notify_to };
    const opening = this.opening.take();
    try {
      const receipt = await notify.executeWithOptions(
        {
          summary: `notify ${notify_to ?? channel_hint ?? 'the default channel'}, attempt ${attempt}`,
          ...(windowMs !== undefined && { scheduleToCloseTimeout: windowMs }),
          retry: {
            initialInterval: '1 second',
            backoffCoefficient: 2,
            maximumInterval: longestPauseMs(windowMs),
          },
        },
        opening ? [request, opening] : [request],
      );
      const { delivered_at, opening_written = false, ...how } = receipt;
      if (opening) this.opening.delivered(opening_written);
      this.note('delivered', { ...detail, ...how }, delivered_at);
    } catch (error) {
      if (isCancellation(error) && this.handingOver) return;
      if (isCancellation(error)) this.note('delivery_superseded', detail);
      else this.note('delivery_failed', { ...detail, ...reasonOf(error) });
    }
    this.running.delete(delivery_id);
  }
}

/** A question as it is told: those of older histories without the proposal. */
function withProposal({ approval, ...request }: NotificationRequest): NotificationRequest {
  return approval && patched(TELLS_PROPOSALS) ? { ...request, approval } : request;
}

/** Milliseconds until the next attempt or the expiry, at least a second; undefined where there is neither. */
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

/** Where the time ran out, why the last try failed, if it is known. */
function lastFailure(error: unknown): unknown {
  return error instanceof TimeoutFailure ? (error.cause ?? error) : error;
}
