import type { EngagementBody, EngagementDecision } from '../contracts/engagement.js';
import { DeferredError, InputRequiredError } from './errors.js';

/** Signals from 0 to 1; what is left out has the server's defaults (R25-60 … 63). */
export type Signals = Readonly<EngagementBody>;

/**
 * Returns only if the agent may act alone. Throws InputRequiredError if an operator has to
 * be asked first, and DeferredError if neither is right: `should_ask` is false then
 * too, so looking at it alone would let the riskiest actions through.
 */
export function ensureMayAct(decision: EngagementDecision): void {
  if (decision.may_act) return;
  throw decision.should_ask ? new InputRequiredError(decision) : new DeferredError(decision);
}

/** Intents whose decision is remembered; the oldest is forgotten first. */
const CAPACITY = 1_000;

interface Remembered {
  readonly decision: EngagementDecision;
  /** The question that the decision went with. */
  readonly request_key?: string;
}

/**
 * The last decision of each intent in this run, for the next question of that intent. A
 * question asked again under its key gets the same decision again, so that it is the same question.
 */
export class DecisionMemory {
  readonly #decisions = new Map<string, Remembered>();

  /** Remembers a decision in place of an earlier one. */
  keep(intentId: string, decision: EngagementDecision): void {
    this.#put(intentId, { decision });
  }

  /** The decision that belongs to a question, if there is one. */
  decisionFor(intentId: string, requestKey: string): EngagementDecision | undefined {
    const found = this.#decisions.get(intentId);
    const used = found?.request_key;
    return used === undefined || used === requestKey ? found?.decision : undefined;
  }

  /** Ties the decision to the question that it went with. */
  use(intentId: string, decision: EngagementDecision, requestKey: string): void {
    this.#put(intentId, { decision, request_key: requestKey });
  }

  #put(intentId: string, entry: Remembered): void {
    this.#decisions.delete(intentId);
    this.#decisions.set(intentId, entry);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > CAPACITY && oldest !== undefined) this.#decisions.delete(oldest);
  }
}
