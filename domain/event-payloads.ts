import type { JsonObject } from '../contracts/json.js';
import type { ScheduledAttempt } from '../contracts/schedule.js';
import type { SettledRecord, SuspensionRecord } from '../contracts/suspension.js';
import { fallbackOf } from './fallback.js';
import { matchedChoice } from './response.js';
import { endedByDeadline } from './suspension-deadline.js';

/** Why a suspension expired (AM-10). */
export type ExpiryReason = 'timeout' | 'attempts_exhausted' | 'portfolio_deadline';

/** The fields as JSON: those that are undefined have no key, null stays null. */
function payload(fields: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

/** `intent.suspended` (AM-10); fields the record lacks are left out. */
export function suspendedPayload(record: SuspensionRecord): JsonObject {
  return payload({
    suspension_id: record.id,
    question: record.question,
    response_type: record.response_type,
    choices: record.choices,
    channel_hint: record.channel_hint,
    timeout_seconds: record.timeout_seconds,
    expires_at: record.expires_at,
    fallback_policy: record.fallback_policy,
    confidence_at_suspension: record.confidence_at_suspension,
    retry_policy: record.retry_policy,
  });
}

/**
 * `intent.resumed` (AM-10), with the attempt that was current, the matched choice's label, and
 * `submitted_by` where somebody answered in another's name (AM-17).
 */
export function resumedPayload(
  intentId: string,
  record: SettledRecord,
  attempt: number,
): JsonObject {
  const { response = null, responded_by, submitted_by } = record;
  return payload({
    intent_id: intentId,
    suspension_id: record.id,
    value: response,
    choice_label: matchedChoice(record, response)?.label,
    responded_by,
    submitted_by: submitted_by === responded_by ? undefined : submitted_by,
    responded_at: record.responded_at,
    attempt,
  });
}

/**
 * Why a suspension expired (AM-10): its portfolio's deadline came, all of several attempts are used up, or
 * one window is over.
 */
export function expiryReason(
  record: Pick<SuspensionRecord, 'retry_policy' | 'resolution' | 'reason'>,
): ExpiryReason {
  if (endedByDeadline(record)) return 'portfolio_deadline';
  return (record.retry_policy?.max_attempts ?? 1) > 1 ? 'attempts_exhausted' : 'timeout';
}

/**
 * `intent.suspension_expired` (AM-10), once per suspension (R26-59). A value-returning policy without
 * a value shows the null the agent gets (AM-05); a value no operator could have given is marked
 * (AM-06). At the portfolio's deadline the fallback is bypassed and only named.
 */
export function expiredPayload(
  record: SuspensionRecord,
  attempts: number,
  reason: ExpiryReason = expiryReason(record),
): JsonObject {
  const fallback = reason === 'portfolio_deadline' ? undefined : fallbackOf(record);
  return payload({
    suspension_id: record.id,
    reason,
    attempts,
    fallback_policy: record.fallback_policy,
    fallback_value: fallback?.value === undefined ? record.fallback_value : fallback.value,
    fallback_value_valid: fallback?.fallback_value_valid,
  });
}

/** `intent.suspension_renotified` (R26-55); `skipped` only where an outage swallowed it (AM-48). */
export function renotifiedPayload(
  suspensionId: string,
  scheduled: ScheduledAttempt,
  maxAttempts: number,
  skipped: boolean,
): JsonObject {
  return payload({
    suspension_id: suspensionId,
    attempt: scheduled.attempt,
    max_attempts: maxAttempts,
    channel_hint: scheduled.channel_hint,
    notify_to: scheduled.notify_to,
    next_attempt_at: scheduled.next_attempt_at,
    skipped: skipped ? true : undefined,
  });
}

/** `intent.suspension_escalated`, one per ladder entry of the attempt, in order (R26-57, AM-27). */
export function escalatedPayloads(suspensionId: string, scheduled: ScheduledAttempt): JsonObject[] {
  return scheduled.ladder.map((entry) =>
    payload({
      suspension_id: suspensionId,
      attempt: scheduled.attempt,
      escalated_to: entry.notify_to ?? null,
      channel_hint: entry.channel_hint || null,
    }),
  );
}

/** `intent.suspension_cancelled` (AM-34): who withdrew the question, and why where it was said. */
export function cancelledPayload(record: SettledRecord): JsonObject {
  return payload({
    suspension_id: record.id,
    reason: record.reason,
    settled_by: record.settled_by,
    settled_at: record.settled_at,
  });
}
