import type { EngagementBody, EngagementDecision } from '../contracts/engagement.js';
import { DeferredError, InputRequiredError } from './input-errors.js';

/** Signals from 0 to 1; what is left out has the server's defaults (R25-60 … 63). */
export type Signals = Readonly<EngagementBody>;

/**
 * Returns only where the agent may act alone. Throws InputRequiredError where an operator has to
 * be asked first, and DeferredError where neither is right (AM-08): `should_ask` is false then
 * too, so looking at it alone would let the riskiest actions through.
 */
export function ensureMayAct(decision: EngagementDecision): void {
  if (decision.may_act) return;
  throw decision.should_ask ? new InputRequiredError(decision) : new DeferredError(decision);
}
