import {
  ERASED_TEXT,
  ERASURE_EVENT,
  KEPT_RECORD_FIELDS,
} from '../../contracts/constants/erasure.js';
import type { IntentErasure } from '../../contracts/log/erasure.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { erasedSuspensionRow } from '../suspension/record/erasure.js';
import type { EventDraft } from './entity.js';
import { SUSPENSION_SLOT } from './state-patch.js';

/** OpenIntent agents write records in their own form; longer names and instants are not kept. */
const KEPT_CHARACTERS = 200;

/**
 * Refuses `question_open` while a question is open: the deciders could no longer read it.
 *
 * @param field - where the caller can see that
 */
export function checkSettled(isOpen: boolean, field: 'status' | 'state'): Ruling<true> {
  if (!isOpen) return ok(true);
  return refuse('question_open', 'A question waits for its answer.', {
    field,
    accepted:
      field === 'status'
        ? 'an intent whose questions are all settled'
        : 'a question that is settled',
  });
}

/**
 * Returns an intent without what people wrote: title, description, state, constraints and reason of abandonment.
 * Owner, access list, governance policy and the identity of its last question stay. Adds one version at `at`
 * (ISO-8601).
 */
export function erasedIntent(intent: Intent, at: string): Intent {
  const { abandonment_reason: _reason, ...rest } = intent;
  const slot = intent.state[SUSPENSION_SLOT];
  return {
    ...rest,
    title: ERASED_TEXT,
    description: null,
    state: slot === undefined ? {} : { [SUSPENSION_SLOT]: erasedSlot(slot, at) },
    constraints: {},
    version: intent.version + 1,
    updated_at: at,
  };
}

function erasedSlot(slot: JsonValue, at: string): JsonObject {
  const record = isObject(slot) ? slot : {};
  const isKept = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && value.length <= KEPT_CHARACTERS);
  const kept = KEPT_RECORD_FIELDS.filter((field) => isKept(record[field]));
  return {
    ...Object.fromEntries(kept.map((field) => [field, record[field] as JsonValue])),
    question: ERASED_TEXT,
    erased_at: at,
  };
}

/** Returns an event as readers get it after its payload is erased; the record of an erasure stays. */
export function erasedEvent(event: IntentEvent): IntentEvent {
  if (event.event_type === ERASURE_EVENT) return event;
  const { payload_salt: _salt, ...rest } = event;
  return { ...rest, payload: {}, erased: true };
}

/** The fields that distinguish recorded events of one type. The recipient or channel of an escalation is not kept. */
const IDENTITY = ['suspension_id', 'approval_id', 'attempt'] as const;

/** Returns an erased event that still says what it is about; readers get its `erasedEvent`. */
export function identityOf(event: IntentEvent): IntentEvent {
  const kept = IDENTITY.filter((field) => event.payload[field] !== undefined);
  const payload = Object.fromEntries(kept.map((field) => [field, event.payload[field]]));
  return { ...erasedEvent(event), payload: payload as JsonObject };
}

/** Returns the event that lists the erased payloads, with the principal and the time of the erasure. */
export function erasureEvent(through_sequence: number, actor: string): EventDraft {
  return { event_type: ERASURE_EVENT, actor, payload: { through_sequence } };
}

/** Returns a row as it is written after the erasure of its intent's personal data at `at` (ISO-8601). */
export function erasedRow(row: JournalRow, at: string): JournalRow {
  if (row.kind === 'event') return { kind: 'event', event: erasedEvent(row.event) };
  if (row.kind !== 'intent') return erasedSuspensionRow(row, at);
  const { creation_hash: _hash, intent, ...rest } = row;
  // An older row keeps its older version, so that the newer one wins.
  return { ...rest, intent: { ...erasedIntent(intent, at), version: intent.version } };
}

/** Whether nothing was recorded since an erasure, so that the same request has the same result. */
export function isStillErased(
  erasure: IntentErasure | undefined,
  lastSequence: number,
): erasure is IntentErasure {
  return erasure?.event_sequence === lastSequence;
}
