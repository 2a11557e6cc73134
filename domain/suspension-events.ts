import type { IntentEvent } from '../contracts/event.js';
import type { Schedule, ScheduledAttempt } from '../contracts/schedule.js';
import type { SuspensionRecord } from '../contracts/suspension.js';
import { escalatedPayloads, renotifiedPayload, suspendedPayload } from './event-payloads.js';
import type { EventDraft } from './intent-entity.js';

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
export interface ToldEvent {
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
export function toldKey({ event_type, payload }: Omit<EventDraft, 'actor'>): string | undefined {
  if (DECISIONS.includes(event_type)) return JSON.stringify(['decision', payload['approval_id']]);
  const fields = Object.hasOwn(IDENTITY, event_type) ? IDENTITY[event_type] : undefined;
  if (fields === undefined || typeof payload['suspension_id'] !== 'string') return undefined;
  // A ladder entry that names nobody has an empty text or null.
  return JSON.stringify([event_type, ...fields.map((name) => payload[name] || null)]);
}
