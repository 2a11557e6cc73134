import type { EngagementBody, EngagementDecision } from '../contracts/suspension/engagement.js';
import { DeferredError, InputRequiredError } from './errors.js';

/** Signals from 0 to 1; missing ones have the server's defaults (R25-60 … 63). */
export type Signals = Readonly<EngagementBody>;

/**
 * Returns only if the agent may act alone. Throws InputRequiredError if an operator must be asked first, and DeferredError if
 * the matter must be handed over: `should_ask` is then false too, so checking it alone would allow the riskiest actions.
 */
export function ensureMayAct(decision: EngagementDecision): void {
  if (decision.may_act) return;
  throw decision.should_ask ? new InputRequiredError(decision) : new DeferredError(decision);
}

/** The most intents whose decisions are kept; the oldest are dropped first. */
const CAPACITY = 1_000;

interface Remembered {
  readonly decision: EngagementDecision;
  /** The question that was sent with the decision. */
  readonly request_key?: string;
}

/**
 * The last decision of each intent in this process, for the next question of that intent. A repeated question gets the same
 * decision again, so that it stays the same question.
 */
export class DecisionMemory {
  readonly #decisions = new Map<string, Remembered>();

  /** Stores a decision in place of an earlier one. */
  keep(intentId: string, decision: EngagementDecision): void {
    this.#put(intentId, { decision });
  }

  /** Returns the decision for a question, if there is one. */
  decisionFor(intentId: string, requestKey: string): EngagementDecision | undefined {
    const found = this.#decisions.get(intentId);
    const used = found?.request_key;
    return used === undefined || used === requestKey ? found?.decision : undefined;
  }

  /** Ties a decision to the question that was sent with it. */
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
