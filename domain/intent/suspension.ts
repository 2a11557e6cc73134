import { PORTFOLIO_DEADLINE_EXCEEDED } from '../../contracts/constants/statuses.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type {
  QuestionFindings,
  SettledRecord,
  SuspensionDraft,
  SuspensionRecord,
} from '../../contracts/suspension/suspension.js';
import type { Schedule } from '../../contracts/suspension/retry-policy.js';
import { jsonBytes } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toMillis } from '../kernel/time.js';
import {
  CLOCK_ACTOR,
  cancelledPayload,
  expiredPayload,
  openingEvents,
  resumedPayload,
} from '../suspension/record/events.js';
import { fallbackOf } from '../suspension/answering/response.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import type { AmendedPart } from '../suspension/record/state.js';
import { checkOpen, movedTo, statusChanged, type EventDraft, type IntentChange } from './entity.js';
import { defined } from '../../contracts/constants/defined.js';

/** An abandonment that waits until the open question has been withdrawn. */
export interface Abandonment {
  readonly actor: string;
  readonly principal: string;
  readonly reason?: string;
}

/**
 * Checks whether a question may be opened (R25-05); an intent has at most one. Refuses `intent_suspended`,
 * `intent_closed`, `intent_not_active`, and `state_too_large` if the record does not fit into the state.
 */
export function checkSuspendable(
  intent: Intent,
  draft: SuspensionDraft,
  maxBytes: number,
): Ruling<true> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const state = { intent_status: intent.status };
  if (intent.status === 'suspended_awaiting_input') {
    return refuse('intent_suspended', 'Another question is open.', { state });
  }
  if (intent.status !== 'active') {
    return refuse('intent_not_active', `The intent is ${intent.status}.`, { state });
  }
  const { _suspension: _replaced, ...kept } = intent.state;
  if (jsonBytes(kept) + jsonBytes(draft) + RECORD_OVERHEAD_BYTES > maxBytes) {
    return refuse('state_too_large', 'The question does not fit into the state of the intent.', {
      accepted: `at most ${maxBytes} bytes of state`,
    });
  }
  return ok(true);
}

/** An upper bound for what id, instants and settlement add to a draft. */
const RECORD_OVERHEAD_BYTES = 2_048;

/**
 * Suspends an intent (R25-05) and stores the record in `state._suspension` (R25-34): two writes, so two versions.
 * Escalations of attempt 1 follow `intent.suspended`.
 */
export function beginSuspension(
  intent: Intent,
  record: SuspensionRecord,
  schedule: Schedule,
  actor: string,
  findings: QuestionFindings = {},
): IntentChange {
  return {
    intent: {
      ...withRecord(intent, record),
      status: 'suspended_awaiting_input',
      version: intent.version + 2,
      updated_at: record.suspended_at,
    },
    events: openingEvents(record, schedule, actor, { escalator: CLOCK_ACTOR, findings }),
  };
}

/**
 * Settles the question of an intent. After an answer or a cancellation the intent is active (R25-06); after an expiry
 * the fallback decides between active and abandoned (R25-07). A pending abandonment follows at once. `findings` are
 * those of the question.
 */
export function endSuspension(
  intent: Intent,
  record: SettledRecord,
  attempt: number,
  now: string,
  { abandoning, findings }: { abandoning?: Abandonment; findings?: QuestionFindings } = {},
): IntentChange {
  const settled = withRecord(intent, record);
  const version = intent.version + 2;
  const { status, reason: cause, event } = consequence(intent.id, record, attempt, findings);
  const abandoned = abandoning !== undefined && status !== 'abandoned';
  const follows = abandoned && record.resolution === 'responded' ? version + 1 : version;
  const events: EventDraft[] = [event];
  if (record.resolution !== 'responded' && !abandoned) {
    const moved = statusChanged(status, version, event.actor, cause);
    events.push({ ...moved, ...principalOf(record) });
  }
  if (abandoned) {
    const { actor, principal, reason } = abandoning;
    events.push({ ...statusChanged('abandoned', follows, actor, reason), principal });
  }
  const final = abandoned ? 'abandoned' : status;
  const why = abandoned ? abandoning.reason : status === 'abandoned' ? cause : undefined;
  return {
    intent: {
      ...settled,
      status: final,
      version: follows,
      updated_at: now,
      ...defined({ abandonment_reason: why }),
    },
    events,
  };
}

/** Applies an amendment of the open question to the record in the state, whatever the form of that record. */
export function amendQuestion(
  intent: Intent,
  amended: AmendedPart,
  event: EventDraft,
  now: string,
): IntentChange {
  const before = intent.state['_suspension'];
  const record = { ...(isObject(before) ? before : {}), ...amended } as unknown as SuspensionRecord;
  const version = intent.version + 1;
  return { intent: { ...withRecord(intent, record), version, updated_at: now }, events: [event] };
}

function consequence(
  intentId: string,
  record: SettledRecord,
  attempt: number,
  findings: QuestionFindings | undefined,
): { status: 'active' | 'abandoned'; reason?: string; event: EventDraft } {
  switch (record.resolution) {
    case 'responded':
      return {
        status: 'active',
        event: {
          event_type: 'intent.resumed',
          actor: record.responded_by ?? CLOCK_ACTOR,
          ...principalOf(record),
          payload: resumedPayload(intentId, record, attempt),
        },
      };
    case 'expired':
      return {
        ...afterExpiry(record),
        event: {
          event_type: 'intent.suspension_expired',
          actor: CLOCK_ACTOR,
          payload: expiredPayload(record, attempt, findings),
        },
      };
    case 'cancelled':
      return {
        status: 'active',
        reason: 'suspension_cancelled',
        event: {
          event_type: 'intent.suspension_cancelled',
          actor: record.submitted_by ?? CLOCK_ACTOR,
          ...principalOf(record),
          payload: cancelledPayload(record),
        },
      };
  }
}

function principalOf({ submitted_by }: SettledRecord): Pick<EventDraft, 'principal'> {
  return submitted_by === undefined ? {} : { principal: submitted_by };
}

/** The deadline of a portfolio overrides the fallback (R26-27, R26-28). */
function afterExpiry(record: SettledRecord): { status: 'active' | 'abandoned'; reason: string } {
  if (endedByDeadline(record)) return { status: 'abandoned', reason: PORTFOLIO_DEADLINE_EXCEEDED };
  const { status } = fallbackOf(record);
  return { status, reason: status === 'active' ? 'suspension_fallback' : 'suspension_expired' };
}

function withRecord(intent: Intent, record: SuspensionRecord): Intent {
  const json = record as unknown as JsonObject;
  return { ...intent, state: { ...intent.state, _suspension: json } };
}

/**
 * Abandons an intent at the deadline of its portfolio if its question was never recorded (R26-27). Returns undefined
 * if it is not suspended, or was suspended after the deadline.
 *
 * @param since - ISO-8601 instant at which the intent was suspended
 */
export function abandonForDeadline(
  intent: Intent,
  since: string | undefined,
  deadline: string,
  now: string,
): IntentChange | undefined {
  const waits = intent.status === 'suspended_awaiting_input' && since !== undefined;
  if (!waits || toMillis(since) > toMillis(deadline)) return undefined;
  return movedTo(intent, 'abandoned', CLOCK_ACTOR, now, PORTFOLIO_DEADLINE_EXCEEDED);
}
