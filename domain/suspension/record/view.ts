import type { Schedule } from '../../../contracts/suspension/retry-policy.js';
import type { AskedSuspension, InputResponse } from '../../../contracts/suspension/requests.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension/view.js';
import type {
  SettledRecord,
  SuspensionRecord,
  TimelineEntry,
} from '../../../contracts/suspension/suspension.js';
import { readAt } from '../people/claim.js';
import { commentCount, commentsIn } from '../people/comments.js';
import { decisionOf } from '../answering/decision.js';
import { delegationsIn, withDelegates } from '../people/delegates.js';
import { respondResult } from '../answering/response.js';
import { scheduleOf } from '../asking/schedule.js';
import { isSettled, type SuspensionState } from './state.js';
import { warningsIn } from '../asking/warnings.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Returns a suspension for readers. Its claim may have expired when it is read: see `viewAt`. */
export function viewOf(
  state: SuspensionState,
  opened: {
    readonly asked_by: string;
    readonly asked_as?: string;
    readonly schedule: Schedule;
  },
  timeline: readonly TimelineEntry[],
): LiveView {
  const { record, intent_id, votes, eligibility, claim } = state;
  const { asked_by, asked_as, schedule } = opened;
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
    ...defined({ asked_as }),
    attempt,
    max_attempts: schedule.attempts.length,
    next_attempt_at: settled ? null : (schedule.attempts[attempt]?.at ?? null),
    record,
    ...decision,
    rule: withDelegates(decision.rule, state),
    ...(claim && !settled && { claim }),
    ...(comment_count > 0 && { comment_count, comments }),
    ...(delegations.length > 0 && { delegations }),
    ...defined({ warnings }),
    schedule,
    timeline,
  };
}

/** A question as of an instant (ms), including fields that its workflow omits. */
export function viewAt(view: LiveView, at: number): SuspensionView {
  return readAt({ ...attentionIn(view.timeline), ...view }, at);
}

/** The actions of people on a question, and its warnings, from its timeline. */
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
    ...defined({ channel_hint: channel }),
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
