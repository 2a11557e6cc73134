import type {
  PORTFOLIO_DEADLINE,
  PORTFOLIO_DEADLINE_EXCEEDED,
} from '../contracts/constants/deadline.js';
import type { SettledRecord, SuspensionRecord } from '../contracts/suspension.js';
import { isSettled, type SuspensionState } from './suspension-state.js';
import { toInstant, toMillis } from './time.js';

const REASON: typeof PORTFOLIO_DEADLINE = 'portfolio_deadline';
/** The `abandonment_reason` of an intent whose question a portfolio's deadline ended (R26-27). */
export const ABANDONMENT: typeof PORTFOLIO_DEADLINE_EXCEEDED = 'portfolio_deadline_exceeded';

/**
 * Ends a question for the deadline of a portfolio as of `at` (ms): it expires, past its fallback, whatever its
 * own `expires_at` would have been (R26-27 … 30, AM-38). Undefined where it is settled already: what came
 * first counts.
 */
export function expireForDeadline(state: SuspensionState, at: number): SuspensionState | undefined {
  if (isSettled(state.record)) return undefined;
  const record: SettledRecord = {
    ...state.record,
    resolution: 'expired',
    settled_by: 'clock',
    settled_at: toInstant(at),
    reason: REASON,
  };
  return { ...state, record };
}

/** Whether a portfolio's deadline ended the question, so that its fallback does not apply (R26-28). */
export function endedByDeadline({
  resolution,
  reason,
}: Pick<SuspensionRecord, 'resolution' | 'reason'>): boolean {
  return resolution === 'expired' && reason === REASON;
}

/** Whether a message names a portfolio and its deadline; nobody has checked a Signal before. */
export function isDeadline(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { portfolio_id, deadline } = given as Readonly<Record<string, unknown>>;
  return typeof portfolio_id === 'string' && typeof deadline === 'string' && isInstant(deadline);
}

function isInstant(text: string): boolean {
  try {
    toMillis(text);
    return true;
  } catch {
    return false;
  }
}
