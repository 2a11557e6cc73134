import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type {
  QuestionFindings,
  SettledRecord,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import type { Schedule, ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { EventDraft } from '../../intent/entity.js';
import type { Vote } from '../../../contracts/suspension/decision.js';
import { findingsOf } from '../asking/findings.js';
import { fallbackOf, matchedChoice } from '../answering/response.js';
import { endedByDeadline } from '../../../contracts/constants/fallback.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The actor of events that only the passage of time causes. */
export const CLOCK_ACTOR = 'holdpoint';

/**
 * Returns `intent.suspended`, followed by the escalations of attempt 1.
 *
 * @param escalator - the actor of the escalations, if different
 * @param findings - of the question, with the warnings for the first event
 */
export function openingEvents(
  record: SuspensionRecord,
  schedule: Schedule,
  actor: string,
  { escalator = actor, findings = {} }: { escalator?: string; findings?: QuestionFindings } = {},
): readonly EventDraft[] {
  const first = schedule.attempts.slice(0, 1);
  const { warnings } = findings;
  const suspended = { ...suspendedPayload(record), ...defined({ warnings }) };
  return [
    { event_type: 'intent.suspended', actor, payload: suspended },
    ...first.flatMap((attempt) => escalations(record.id, attempt, escalator)),
  ];
}

/**
 * Returns `intent.suspension_renotified` of an attempt after the first, followed by its escalations.
 *
 * @param actor - the agent if it records these events itself
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

/** An event about a suspension. `posted` says whether a client posted it, or the server wrote it. */
export interface RecordedEvent {
  readonly event: IntentEvent;
  readonly posted: boolean;
}

/** The fields that identify an event, so that it is recorded once although both server and agent record it. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  'intent.suspended': ['suspension_id'],
  'intent.suspension_renotified': ['suspension_id', 'attempt'],
  'intent.suspension_escalated': ['suspension_id', 'attempt', 'channel_hint', 'escalated_to'],
};

/** An approval is decided once, so these types share a key. */
const DECISIONS: readonly string[] = ['governance.approval_granted', 'governance.approval_denied'];

/**
 * Returns a key that is equal for events with the same meaning for a suspension or an approval; undefined for other
 * events.
 */
export function recordedKey({
  event_type,
  payload,
}: Omit<EventDraft, 'actor'>): string | undefined {
  if (DECISIONS.includes(event_type)) return JSON.stringify(['decision', payload['approval_id']]);
  const fields = Object.hasOwn(IDENTITY, event_type) ? IDENTITY[event_type] : undefined;
  if (fields === undefined || typeof payload['suspension_id'] !== 'string') return undefined;
  // A ladder entry without a recipient has an empty text or null.
  return JSON.stringify([event_type, ...fields.map((name) => payload[name] || null)]);
}

type ExpiryReason = 'timeout' | 'attempts_exhausted' | 'portfolio_deadline';

/** Converts fields to JSON. Undefined fields are dropped, null stays. */
function payload(fields: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

/** The votes of a question that several people decide, without their notes; otherwise empty. */
export function votesIn({ votes }: SuspensionRecord) {
  return votes ? { votes: votes.map(withoutNotes) } : {};
}

function withoutNotes({ metadata: _metadata, comment: _comment, data: _data, ...vote }: Vote) {
  return vote;
}

/** Returns the payload of `intent.suspended`. Fields that the record lacks are omitted. */
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
    decision_rule: record.decision_rule,
    on_behalf_of: record.on_behalf_of,
  });
}

/**
 * Returns the payload of `intent.resumed`, with `submitted_by` if somebody answered on another's behalf, and with all
 * comments.
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
    comment: record.comment,
    votes: record.votes?.map((vote) => ({ ...withoutNotes(vote), comment: vote.comment })),
  });
}

/** Returns why a suspension expired: a portfolio's deadline, or the end of several attempts or of the only one. */
export function expiryReason(
  record: Pick<SuspensionRecord, 'retry_policy' | 'resolution' | 'reason'>,
): ExpiryReason {
  if (endedByDeadline(record)) return 'portfolio_deadline';
  return (record.retry_policy?.max_attempts ?? 1) > 1 ? 'attempts_exhausted' : 'timeout';
}

/**
 * Returns the payload of `intent.suspension_expired`, recorded once (R26-59). Without a value, `fallback_value` is
 * the null that the agent gets; `fallback_value_valid: false` marks one that no operator could have given. A
 * portfolio's deadline overrides the fallback.
 *
 * @param findings - of the question as it stands; absent for a question of an earlier version, which is judged now
 */
export function expiredPayload(
  record: SuspensionRecord,
  attempts: number,
  findings?: QuestionFindings,
): JsonObject {
  const reason = expiryReason(record);
  const isPassedOver = reason === 'portfolio_deadline';
  const fallback = isPassedOver ? undefined : fallbackOf(record);
  const found = isPassedOver ? undefined : (findings ?? findingsOf(record));
  return payload({
    suspension_id: record.id,
    reason,
    attempts,
    fallback_policy: record.fallback_policy,
    fallback_value: fallback?.value === undefined ? record.fallback_value : fallback.value,
    fallback_value_valid: found?.fallback_value_valid,
    ...votesIn(record),
  });
}

/** Returns the payload of `intent.suspension_renotified` (R26-55). `skipped`: it was missed during an outage. */
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

/** Returns the payloads of `intent.suspension_escalated`, one for each ladder entry, in order (R26-57). */
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

/** Returns the payload of `intent.suspension_cancelled`: who withdrew the question, and why. */
export function cancelledPayload(record: SettledRecord): JsonObject {
  return payload({
    suspension_id: record.id,
    reason: record.reason,
    settled_by: record.settled_by,
    settled_at: record.settled_at,
    ...votesIn(record),
  });
}
