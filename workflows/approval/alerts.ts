import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import { OrderedQueue } from '../engine/queue.js';
import { ONE_TRY } from '../suspension/deliveries.js';

const { notify } = proxyActivities<Pick<Activities, 'notify'>>({
  ...ONE_TRY,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '10 minutes',
  },
  summary: 'tell that a stage takes too long',
});

/**
 * Notifies people of breached SLAs. It tries each alert until the channel takes it, or the approval is decided. Nothing waits
 * for it.
 */
export class Alerts extends OrderedQueue<NotificationRequest> {
  private calledOff = false;

  raise(alert: NotificationRequest): void {
    this.add(alert);
  }

  /** The approval is decided. */
  callOff(): void {
    this.calledOff = true;
    this.takeQueued();
  }

  override get owes(): boolean {
    return false;
  }

  protected override async deliver([alert]: readonly NotificationRequest[]): Promise<void> {
    if (alert === undefined) return;
    const scope = new CancellationScope({ cancellable: true });
    let ended = false;
    const stop = (): void => {
      if (!ended) scope.cancel();
    };
    condition(() => this.calledOff || ended).then(stop, stop);
    try {
      await scope.run(() => notify(alert));
    } catch (error) {
      const handsOver = isCancellation(error) && !this.calledOff;
      if (handsOver || !(error instanceof ActivityFailure)) throw error;
      // The store has a row for each try; what the configuration forbids is not tried again.
      log.warn('alert_undelivered', { delivery_id: alert.delivery_id });
    } finally {
      ended = true;
    }
  }
}
