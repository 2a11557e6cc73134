import { PORTFOLIO_DEADLINE_EXCEEDED } from '../contracts/constants/deadline.js';
import type { EngagementDecision } from '../contracts/engagement.js';
import type { SuspensionRecord } from '../contracts/suspension.js';
import { HoldpointError } from './errors.js';

/** Nobody answered in time and the policy was `fail` (R25-56, R25-90). */
export class InputTimeoutError extends HoldpointError {
  override readonly name: string = 'InputTimeoutError';
  readonly intent_id: string;
  readonly suspension: SuspensionRecord;
  readonly attempts: number;

  constructor(intentId: string, suspension: SuspensionRecord, attempts: number) {
    super('input_timeout', `Nobody answered after ${attempts} attempt(s).`);
    this.intent_id = intentId;
    this.suspension = suspension;
    this.attempts = attempts;
  }
}

/**
 * The question was withdrawn (R25-90), with the reason that was given; or the deadline of a portfolio ended
 * it, with the reason `portfolio_deadline_exceeded` (AM-38).
 */
export class InputCancelledError extends HoldpointError {
  override readonly name: string = 'InputCancelledError';
  readonly intent_id: string;
  readonly suspension: SuspensionRecord;
  readonly reason: string | undefined;

  constructor(intentId: string, suspension: SuspensionRecord) {
    const past = suspension.resolution === 'expired';
    const reason = past ? PORTFOLIO_DEADLINE_EXCEEDED : suspension.reason;
    super(
      'input_cancelled',
      `The question was withdrawn${reason === undefined ? '.' : `: ${reason}`}`,
    );
    this.intent_id = intentId;
    this.suspension = suspension;
    this.reason = reason;
  }
}

/** The decision was `defer`: neither act nor ask, hand the matter on (AM-08). */
export class DeferredError extends HoldpointError {
  override readonly name: string = 'DeferredError';
  readonly decision: EngagementDecision;

  constructor(decision: EngagementDecision) {
    super('deferred', `Acting alone is ruled out: ${decision.rationale}`);
    this.decision = decision;
  }
}

/** The decision was to ask first: call `requestInput()` before acting (AM-08). */
export class InputRequiredError extends HoldpointError {
  override readonly name: string = 'InputRequiredError';
  readonly decision: EngagementDecision;

  constructor(decision: EngagementDecision) {
    super('input_required', `An operator has to be asked first: ${decision.rationale}`);
    this.decision = decision;
  }
}
