import type { NotificationRequest } from '../../contracts/notification.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { SECOND_MS } from '../kernel/time.js';
import { versionOf } from './decision.js';
import { delegationsIn } from './delegates.js';
import { formInContext, proposalOf } from './proposal-to-show.js';

/**
 * Returns the deliveries of one attempt: one for each ladder entry, in order, or a single one to the record's
 * own channel. An entry without a recipient goes to the same one as before (R26-46).
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
    ...(record.choices && { choices: record.choices }),
    ...(record.context && { context: record.context }),
    ...formInContext(record),
    ...proposalOf(record),
    ...(record.expires_at && { expires_at: record.expires_at }),
    next_attempt_at: attempt.next_attempt_at,
    // Most questions stay as they were asked.
    ...(version > 1 && { question_version: version }),
    ...(heldBy !== undefined && { held_by: heldBy }),
  }));
}

/**
 * Returns the deliveries to those to whom a question was delegated, oldest first: one for each delegation, over the channel
 * of the attempt that is current. The next attempt tells others, so it does not end such a delivery.
 */
export function noticesOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  timeline: readonly TimelineEntry[],
): readonly NotificationRequest[] {
  return delegationsIn(timeline).flatMap(({ by, to }, index) => {
    const recipient = { ...attempt, notify_to: to, ladder: [], next_attempt_at: null };
    const sent = notificationsOf(intentId, record, recipient, maxAttempts, to);
    const delivery_id = `${record.id}:to:${index + 1}`;
    return sent.map((request) => ({ ...request, delivery_id, delegated_by: by }));
  });
}

const MINUTE_MS = 60_000;

/**
 * Returns the longest pause between two tries of a delivery, in milliseconds. It is a tenth of the window, so
 * that the last try still comes near its end, but at least 5 seconds and at most 10 minutes. Without a window
 * it is an hour.
 */
export function longestPauseMs(windowMs: number | undefined): number {
  if (windowMs === undefined) return 60 * MINUTE_MS;
  return Math.min(Math.max(Math.floor(windowMs / 10), 5 * SECOND_MS), 10 * MINUTE_MS);
}
