import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import type { EventDraft } from '../intent/entity.js';
import { fallbackOf, matchedChoice } from './response.js';
import { endedByDeadline } from './state.js';

/** The actor of events that the clock causes. */
export const CLOCK_ACTOR = 'holdpoint';

/** `intent.suspended`, then the escalations of attempt 1 (AM-27), which `escalator` is named for. */
export function openingEvents(
  record: SuspensionRecord,
  schedule: Schedule,
  actor: string,
  escalator = actor,
): readonly EventDraft[] {
  const first = schedule.attempts[0];
  return [
    { event_type: 'intent.suspended', actor, payload: suspendedPayload(record) },
    ...(first ? escalations(record.id, first, escalator) : []),
  ];
}

/**
 * The events of an attempt from the second on: renotified, then its escalations (AM-26). `actor` is the
 * agent where it tells of them itself.
 */
export function attemptEvents(
  suspensionId: string,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  skipped: boolean,
  actor = CLOCK_ACTOR,
): readonly EventDraft[] {
  const payload = renotifiedPayload(suspensionId, attempt, maxAttempts, skipped);
  return [
    { event_type: 'intent.suspension_renotified', actor, payload },
    ...(skipped ? [] : escalations(suspensionId, attempt, actor)),
  ];
}

function escalations(suspensionId: string, attempt: ScheduledAttempt, actor: string): EventDraft[] {
  return escalatedPayloads(suspensionId, attempt).map((payload) => ({
    event_type: 'intent.suspension_escalated',
    actor,
    payload,
  }));
}

/** An event that tells of a suspension, and whether it was posted or is the server's own. */
export interface RecordedEvent {
  readonly event: IntentEvent;
  readonly posted: boolean;
}

/** Fields that make an event of this type the same one, whoever tells it (wire contract §3.2). */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  'intent.suspended': ['suspension_id'],
  'intent.suspension_renotified': ['suspension_id', 'attempt'],
  'intent.suspension_escalated': ['suspension_id', 'attempt', 'channel_hint', 'escalated_to'],
};

/** An approval is decided once, whichever way. */
const DECISIONS: readonly string[] = ['governance.approval_granted', 'governance.approval_denied'];

/** What makes two events tell the same, of a suspension or an approval; undefined for any other event. */
export function recordedKey({
  event_type,
  payload,
}: Omit<EventDraft, 'actor'>): string | undefined {
  if (DECISIONS.includes(event_type)) return JSON.stringify(['decision', payload['approval_id']]);
  const fields = Object.hasOwn(IDENTITY, event_type) ? IDENTITY[event_type] : undefined;
  if (fields === undefined || typeof payload['suspension_id'] !== 'string') return undefined;
  // A ladder entry that names nobody has an empty text or null.
  return JSON.stringify([event_type, ...fields.map((name) => payload[name] || null)]);
}

/** Why a suspension expired (AM-10). */
type ExpiryReason = 'timeout' | 'attempts_exhausted' | 'portfolio_deadline';

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
