import type { Schedule } from '../../contracts/retry-policy.js';
import type { AskedSuspension, InputResponse } from '../../contracts/suspension-requests.js';
import type { LiveView, SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { readAt } from './claim.js';
import { commentCount, commentsIn } from './comments.js';
import { decisionOf } from './decision.js';
import { withDelegates } from './delegates.js';
import { delegationsIn } from './delegates.js';
import { respondResult } from './response.js';
import { scheduleOf } from './schedule.js';
import { isSettled } from './state.js';
import type { SuspensionState } from './state.js';
import { warningsIn } from './warnings.js';

/**
 * Returns a suspension as readers see it: the record, its position in the schedule, and its timeline. It has what
 * people have done to it only if they have, and a claim may be over by the time at which it is read: see `viewAt`.
 */
export function viewOf(
  state: SuspensionState,
  opened: { readonly asked_by: string; readonly schedule: Schedule },
  timeline: readonly TimelineEntry[],
): LiveView {
  const { record, intent_id, votes, eligibility, claim, delegates } = state;
  const { asked_by, schedule } = opened;
  const attempt = Math.max(1, state.attempt);
  const settled = isSettled(record);
  const counted = votes?.map(({ vote }) => vote);
  const decision = decisionOf(record, attempt, counted, eligibility);
  const { comment_count, comments, delegations, warnings } = attentionIn(timeline);
  return {
    id: record.id,
    intent_id,
    state: settled ? 'settled' : 'pending',
    asked_by,
    attempt,
    max_attempts: schedule.attempts.length,
    next_attempt_at: settled ? null : (schedule.attempts[attempt]?.at ?? null),
    record,
    ...decision,
    rule: withDelegates(decision.rule, delegates),
    ...(claim && !settled && { claim }),
    ...(comment_count > 0 && { comment_count, comments }),
    ...(delegations.length > 0 && { delegations }),
    ...(warnings && { warnings }),
    schedule,
    timeline,
  };
}

/** A question as it is read at an instant (ms), with what its workflow leaves out. */
export function viewAt(view: LiveView, at: number): SuspensionView {
  return readAt({ ...attentionIn(view.timeline), ...view }, at);
}

/** What people have done to a question, and what is unusual about it, as far as its timeline tells. */
export function attentionIn(timeline: readonly TimelineEntry[]) {
  const warnings = warningsIn(timeline);
  return {
    ...(warnings.length > 0 && { warnings }),
    comment_count: commentCount(timeline),
    comments: commentsIn(timeline),
    delegations: delegationsIn(timeline),
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
