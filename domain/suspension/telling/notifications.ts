import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionRecord, TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { SECOND_MS } from '../../kernel/time.js';
import { versionOf } from '../answering/decision.js';
import { delegationsIn } from '../people/delegates.js';
import { formInContext, proposalOf } from '../asking/proposal-to-show.js';
import { defined } from '../../../contracts/constants/defined.js';

/**
 * Returns the deliveries of one attempt: one for each ladder entry, in order, or one to the record's own channel. An
 * entry without a recipient goes to the same one as before (R26-46).
 *
 * @param heldBy - who has claimed the question
 */
export function notificationsOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  heldBy?: string,
): readonly NotificationRequest[] {
  const targets =
    attempt.ladder.length > 0
      ? attempt.ladder
      : [{ channel_hint: attempt.channel_hint, notify_to: attempt.notify_to }];
  const version = versionOf(record);
  return targets.map((target, index) => ({
    delivery_id: `${record.id}:${attempt.attempt}${index === 0 ? '' : `:${index + 1}`}`,
    suspension_id: record.id,
    intent_id: intentId,
    attempt: attempt.attempt,
    max_attempts: maxAttempts,
    due_at: attempt.at,
    channel_hint: target.channel_hint || attempt.channel_hint,
    notify_to: target.notify_to ?? null,
    question: record.question,
    response_type: record.response_type,
    ...defined({ choices: record.choices, context: record.context }),
    ...formInContext(record),
    ...proposalOf(record),
    ...(record.expires_at && { expires_at: record.expires_at }),
    next_attempt_at: attempt.next_attempt_at,
    // Most questions stay as they were asked.
    ...(version > 1 && { question_version: version }),
    ...defined({ held_by: heldBy }),
  }));
}

/** Returns one delivery per delegation, oldest first, over the current channel. The next attempt does not end it. */
export function noticesOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  timeline: readonly TimelineEntry[],
): readonly NotificationRequest[] {
  return delegationsIn(timeline).flatMap(({ by, to, to_group }, index) => {
    const notify_to = to ?? to_group ?? null;
    const recipient = { ...attempt, notify_to, ladder: [], next_attempt_at: null };
    const sent = notificationsOf(intentId, record, recipient, maxAttempts, to);
    const delivery_id = `${record.id}:to:${index + 1}`;
    const passed = { delivery_id, delegated_by: by, ...defined({ to_group }) };
    return sent.map((request) => ({ ...request, ...passed }));
  });
}

const MINUTE_MS = 60_000;

/**
 * Returns the longest pause (ms) between two tries: a tenth of the window, but 5 s to 10 min; an hour without one.
 */
export function longestPauseMs(windowMs: number | undefined): number {
  if (windowMs === undefined) return 60 * MINUTE_MS;
  return Math.min(Math.max(Math.floor(windowMs / 10), 5 * SECOND_MS), 10 * MINUTE_MS);
}
