import type { Schedule } from '../../contracts/retry-policy.js';
import type { AskedSuspension, InputResponse } from '../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { decisionOf } from './decision.js';
import { respondResult } from './response.js';
import { scheduleOf } from './schedule.js';
import { isSettled } from './state.js';
import type { SuspensionState } from './state.js';

/** Returns a suspension as readers see it: the record, its position in the schedule, and its timeline. */
export function viewOf(
  state: SuspensionState,
  opened: { readonly asked_by: string; readonly schedule: Schedule },
  timeline: readonly TimelineEntry[],
): SuspensionView {
  const { record, intent_id, votes, eligibility } = state;
  const { asked_by, schedule } = opened;
  const attempt = Math.max(1, state.attempt);
  const settled = isSettled(record);
  return {
    id: record.id,
    intent_id,
    state: settled ? 'settled' : 'pending',
    asked_by,
    attempt,
    max_attempts: schedule.attempts.length,
    next_attempt_at: settled ? null : (schedule.attempts[attempt]?.at ?? null),
    record,
    ...decisionOf(
      record,
      attempt,
      votes?.map(({ vote }) => vote),
      eligibility,
    ),
    schedule,
    timeline,
  };
}

/** Returns the copy of a record that hooks get for an attempt (R26-61, R26-62). */
export function askedSuspension(record: SuspensionRecord, attempt: number): AskedSuspension {
  const { context, channel_hint: ownChannel, ...rest } = record;
  const { attempts } = scheduleOf(record);
  const inForce = attempts.find((entry) => entry.attempt === attempt);
  const channel = inForce?.channel_hint ?? ownChannel;
  return {
    ...rest,
    ...(channel === undefined ? {} : { channel_hint: channel }),
    intent_id: null,
    notify_to: inForce?.notify_to ?? null,
    context: { ...context, _attempt: attempt, _max_attempts: attempts.length },
  };
}

/** Returns the accepted answer of a record, with label and description of its choice (R25-97). */
export function inputResponse(record: SettledRecord): InputResponse {
  const { intent_id: _subject, resolution: _resolution, ...response } = respondResult(null, record);
  return response;
}
