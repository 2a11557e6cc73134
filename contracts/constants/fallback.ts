import type { SuspensionRecord } from '../suspension/suspension.js';
import { PORTFOLIO_DEADLINE } from './statuses.js';

/** Whether the deadline of a portfolio ended the question, so that its fallback does not apply (R26-28). */
export function endedByDeadline({
  resolution,
  reason,
}: Pick<SuspensionRecord, 'resolution' | 'reason'>): boolean {
  return resolution === 'expired' && reason === PORTFOLIO_DEADLINE;
}

/** Whether the fallback of a question applies, because nobody answered it in time. */
export function fallbackCounts(
  record: Pick<SuspensionRecord, 'resolution' | 'reason' | 'fallback_policy'>,
): boolean {
  const { resolution, fallback_policy } = record;
  return resolution === 'expired' && fallback_policy !== 'fail' && !endedByDeadline(record);
}
