import type { Intent } from '../contracts/intent.js';
import { movedTo, type IntentChange } from './intent-entity.js';
import { ABANDONMENT } from './suspension-deadline.js';
import { CLOCK_ACTOR } from './suspension-events.js';
import { toMillis } from './time.js';

/**
 * Ends for the deadline of a portfolio that an intent waits for a question which never came: it is abandoned
 * as one with a question is (R26-27). Undefined where it does not wait, or only since after the deadline.
 *
 * @param since - ISO-8601 instant at which the intent was suspended
 */
export function abandonForDeadline(
  intent: Intent,
  since: string | undefined,
  deadline: string,
  now: string,
): IntentChange | undefined {
  const waits = intent.status === 'suspended_awaiting_input' && since !== undefined;
  if (!waits || toMillis(since) > toMillis(deadline)) return undefined;
  return movedTo(intent, 'abandoned', CLOCK_ACTOR, now, ABANDONMENT);
}
