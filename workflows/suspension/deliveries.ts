import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { JsonObject } from '../../contracts/json.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { TimelineKind } from '../../contracts/timeline.js';
import { toMillis } from '../../domain/time.js';
import { now } from '../support/clock.js';

const { notify } = proxyActivities<Pick<Activities, 'notify'>>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  cancellationType: 'TRY_CANCEL',
});

export type DeliveryNote = (kind: TimelineKind, detail: JsonObject) => void;

/**
 * Deliveries run beside the timers and retry on their own until the next attempt takes over; how
 * each ended is noted. A dead channel delays nothing (design §2.6).
 */
export class Deliveries {
  private readonly running = new Map<
    string,
    { request: NotificationRequest; scope: CancellationScope }
  >();
  private readonly note: DeliveryNote;
  private handingOver = false;

  constructor(note: DeliveryNote) {
    this.note = note;
  }

  /** Starts a delivery that gives up when the next attempt is due, or the question expires. */
  start(request: NotificationRequest): void {
    const scope = new CancellationScope({ cancellable: true });
    this.running.set(request.delivery_id, { request, scope });
    void scope.run(() => this.deliver(request));
  }

  /** Ends what is still being tried; noted as superseded. */
  async supersede(): Promise<void> {
    for (const { scope } of this.running.values()) scope.cancel();
    await condition(() => this.running.size === 0);
  }

  /** What has not ended yet, for the next run to try again. */
  get unfinished(): readonly NotificationRequest[] {
    return [...this.running.values()].map(({ request }) => request);
  }

  /** Ends what is still being tried without a note; it stays in `unfinished`. */
  handOver(): void {
    this.handingOver = true;
    for (const { scope } of this.running.values()) scope.cancel();
  }

  private async deliver(request: NotificationRequest): Promise<void> {
    const { delivery_id, attempt, channel_hint, notify_to } = request;
    const until = request.next_attempt_at ?? request.expires_at;
    const detail = { delivery_id, attempt, channel_hint, notify_to };
    try {
      const receipt = await notify.executeWithOptions(
        {
          summary: `notify ${notify_to ?? channel_hint ?? 'the default channel'}, attempt ${attempt}`,
          ...(until !== undefined && {
            scheduleToCloseTimeout: Math.max(1_000, toMillis(until) - now()),
          }),
        },
        [request],
      );
      this.note('delivered', { ...detail, ...receipt });
    } catch (error) {
      if (isCancellation(error) && this.handingOver) return;
      if (isCancellation(error)) this.note('delivery_superseded', detail);
      else this.note('delivery_failed', { ...detail, ...reasonOf(error) });
    }
    this.running.delete(delivery_id);
  }
}

function reasonOf(error: unknown): JsonObject {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type) {
    return { error: cause.type, message: cause.message };
  }
  return { error: 'gave_up', message: cause instanceof Error ? cause.message : 'unknown' };
}
