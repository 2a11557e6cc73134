import { breachAlert } from '../../domain/approval/deciding/alert.js';
import { breachEvent } from '../../domain/approval/record/events.js';
import type { KeyedEvent } from '../../domain/approval/record/events.js';
import type { ApprovalState } from '../../domain/approval/record/state.js';
import { toMillis } from '../../domain/kernel/time.js';
import { Alerts } from './alerts.js';
import { limitOf } from './carried.js';
import type { CarriedApproval, StageLimit } from './carried.js';
import type { ApprovalInput } from './messages.js';

/** Watches the SLA of the stage that decides. It decides nothing: it raises one alert if the stage takes longer. */
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

  /** Takes in that a tier is asked at an instant (ISO-8601). The stage begins with its first tier. */
  asked({ stage, tier, sla_seconds }: AskedTier, at: string): void {
    if (this.limit?.stage === stage && tier > 0) return;
    this.limit = limitOf(stage, sla_seconds, at);
  }

  /** Raises the alert, once, if the stage is too late at `now` (ms); returns the event for the log. */
  takeBreach(state: ApprovalState, now: number): KeyedEvent | undefined {
    const { limit, dueAt } = this;
    if (limit === undefined || dueAt === undefined || toMillis(dueAt) > now) return undefined;
    this.limit = { ...limit, breached: true };
    const alert = breachAlert(state, limit, this.input);
    if (alert) this.alerts.raise(alert);
    return breachEvent(state, limit);
  }

  /** Stops: no stage decides any more. */
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
