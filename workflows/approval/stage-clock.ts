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
import { breachAlert } from '../../domain/approval/deciding/votes.js';
import { breachEvent, type KeyedEvent } from '../../domain/approval/record/events.js';
import type { ApprovalState } from '../../domain/approval/record/state.js';
import { toMillis } from '../../domain/kernel/time.js';
import { limitOf, type CarriedApproval, type StageLimit } from './carried.js';
import type { ApprovalInput } from './messages.js';

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
 * Notifies people of breached SLAs. It retries each alert until the channel accepts it, or the approval is decided.
 * Nothing waits for it.
 */
class Alerts extends OrderedQueue<NotificationRequest> {
  private calledOff = false;

  raise(alert: NotificationRequest): void {
    this.add(alert);
  }

  /** Stops, because the approval is decided. */
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
      // The store has a row for each try. What the configuration forbids is not retried.
      log.warn('alert_undelivered', { delivery_id: alert.delivery_id });
    } finally {
      ended = true;
    }
  }
}

/** Watches the SLA of the current stage. It changes no outcome: it raises one alert if the stage takes longer. */
export class StageClock {
  readonly alerts: Alerts;
  private readonly input: Pick<ApprovalInput, 'intent_id' | 'channel_hint'>;
  private limit: StageLimit | undefined;

  constructor(
    input: Pick<ApprovalInput, 'intent_id' | 'channel_hint'>,
    carried?: Pick<CarriedApproval, 'limit' | 'alerts'>,
  ) {
    this.input = input;
    this.limit = carried?.limit;
    this.alerts = new Alerts(carried?.alerts);
  }

  get carried(): Pick<CarriedApproval, 'limit' | 'alerts'> {
    return { ...(this.limit && { limit: this.limit }), alerts: this.alerts.carried };
  }

  /** When the stage breaches its SLA; undefined if it has none, or has breached it already. */
  get dueAt(): string | undefined {
    return this.limit?.breached === false ? this.limit.due_at : undefined;
  }

  /** Records that a tier is asked at an instant (ISO-8601). The stage begins with its first tier. */
  asked({ stage, tier, sla_seconds }: AskedTier, at: string): void {
    if (this.limit?.stage === stage && tier > 0) return;
    this.limit = limitOf(stage, sla_seconds, at);
  }

  /** Raises the alert, once, if the stage is late at `now` (ms); returns the event for the log. */
  takeBreach(state: ApprovalState, now: number): KeyedEvent | undefined {
    const { limit, dueAt } = this;
    if (limit === undefined || dueAt === undefined || toMillis(dueAt) > now) return undefined;
    this.limit = { ...limit, breached: true };
    const alert = breachAlert(state, limit, this.input);
    if (alert) this.alerts.raise(alert);
    return breachEvent(state, limit);
  }

  stop(): void {
    this.limit = undefined;
    this.alerts.callOff();
  }
}

interface AskedTier {
  readonly stage: number;
  readonly tier: number;
  readonly sla_seconds?: number | undefined;
}
