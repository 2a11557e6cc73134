import type { Schedule } from '../contracts/schedule.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { TimelineEntry } from '../contracts/timeline.js';
import { isSettled, type SuspensionState } from './suspension-state.js';

/** A suspension as it is read: the record, where it stands in its ladder, and what happened. */
export function viewOf(
  state: SuspensionState,
  opened: { readonly asked_by: string; readonly schedule: Schedule },
  timeline: readonly TimelineEntry[],
): SuspensionView {
  const { record, intent_id } = state;
  const { asked_by, schedule } = opened;
  const attempt = Math.max(1, state.attempt);
  const scheduled = schedule.attempts.find((candidate) => candidate.attempt === attempt);
  const settled = isSettled(record);
  return {
    id: record.id,
    intent_id,
    state: settled ? 'settled' : 'pending',
    asked_by,
    attempt,
    max_attempts: schedule.attempts.length,
    next_attempt_at: settled ? null : (scheduled?.next_attempt_at ?? null),
    record,
    schedule,
    timeline,
  };
}
