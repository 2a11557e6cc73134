import { breachAlert } from '../../domain/approval/alert.js';
import { breachEvent } from '../../domain/approval/events.js';
import type { KeyedEvent } from '../../domain/approval/events.js';
import type { ApprovalState } from '../../domain/approval/state.js';
import { toMillis } from '../../domain/kernel/time.js';
import { Alerts } from './alerts.js';
import { limitOf } from './carried.js';
import type { CarriedApproval, StageLimit } from './carried.js';
import type { ApprovalInput } from './messages.js';

/** Runs while a stage decides that has an SLA. It decides nothing: it tells once that the stage takes longer. */
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
    const alerts = this.alerts.carried;
    return { ...(this.limit && { limit: this.limit }), ...(alerts.length > 0 && { alerts }) };
  }

  /** When the stage takes too long; undefined where it has no SLA, or was too long already. */
  get dueAt(): string | undefined {
    return this.limit?.breached === false ? this.limit.due_at : undefined;
  }

  /** A tier of a stage is asked at an instant (ISO-8601); the stage began with its first one. */
  asked({ stage, tier, sla_seconds }: AskedTier, at: string): void {
    if (this.limit?.stage === stage && tier > 0) return;
    this.limit = limitOf(stage, sla_seconds, at);
  }

  /** Has people told, once, that the stage takes too long by now; returns what to log of it. */
  takeBreach(state: ApprovalState, now: number): KeyedEvent | undefined {
    const { limit, dueAt } = this;
    if (limit === undefined || dueAt === undefined || toMillis(dueAt) > now) return undefined;
    this.limit = { ...limit, breached: true };
    const alert = breachAlert(state, limit, this.input);
    if (alert) this.alerts.raise(alert);
    return breachEvent(state, limit);
  }

  /** No stage decides any more. */
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
