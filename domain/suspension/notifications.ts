import type { NotificationRequest } from '../../contracts/notification.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';

/**
 * The deliveries of one attempt: one per ladder entry in force, in array order (AM-27), or a single one
 * to the record's own channel. An entry without `notify_to` goes to the same recipient as before.
 */
export function notificationsOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
): readonly NotificationRequest[] {
  const targets =
    attempt.ladder.length > 0
      ? attempt.ladder
      : [{ channel_hint: attempt.channel_hint, notify_to: attempt.notify_to }];
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
    ...(record.expires_at && { expires_at: record.expires_at }),
    next_attempt_at: attempt.next_attempt_at,
  }));
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * The longest pause between two tries of one delivery, in milliseconds: a tenth of its window, so that
 * the last try is late in it, within 5 seconds and 10 minutes; an hour where the window has no end.
 */
export function longestPauseMs(windowMs: number | undefined): number {
  if (windowMs === undefined) return 60 * MINUTE_MS;
  return Math.min(Math.max(Math.floor(windowMs / 10), 5 * SECOND_MS), 10 * MINUTE_MS);
}
