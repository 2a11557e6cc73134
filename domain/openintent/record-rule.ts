import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { SUSPENSION_SLOT } from '../intent/state-patch.js';
import { withoutClaims } from './claims.js';
import { readForms } from './record-form.js';

/** What is known of the questions of an intent besides its state. */
export interface KnownQuestions {
  /** Whether the intent has a running suspension. */
  readonly questionIsOpen: boolean;
  /** The last question that a suspension has opened. */
  readonly lastId?: string | undefined;
  /** Ids that other suspensions of the intent have had. */
  readonly usedIds?: readonly string[];
}

/** Only the server writes these fields, when it settles a question. */
const SETTLEMENT = [
  'resolution',
  'settled_by',
  'settled_at',
  'response',
  'responded_at',
  'responded_by',
  'submitted_by',
  'votes',
];

/** Whether a record says how its question ended. */
export function isResolved(record: JsonValue | undefined): boolean {
  return isObject(record) && (record['resolution'] ?? null) !== null;
}

/**
 * Judges a write of `_suspension`. The slot is plain state until a suspension opens from it, but nobody writes a
 * resolution there. From then on the record is the server's: a write may leave it as its reader sees it, and
 * once it is settled an unresolved record with an unused id may take its place as a whole. Refuses
 * `invalid_patch`. What a new question claims of an answer is dropped: nobody has answered it.
 *
 * @returns the record to keep
 */
export function judgeRecord(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  known: KnownQuestions,
): Ruling<JsonValue | undefined> {
  if (jsonEqual(before, after)) return ok(before);
  const isServers = isObject(before) && known.lastId !== undefined && before['id'] === known.lastId;
  if (!isServers) {
    return isResolved(after) ? refused(resolutionFault(after)) : ok(withoutClaims(after));
  }
  if (after !== undefined && readForms(before).some((form) => jsonEqual(form, after))) {
    return ok(before);
  }
  if (known.questionIsOpen) return refused(openFault(after));
  return isNext(after, before, known) ? ok(withoutClaims(after)) : refused(NEXT_FAULT);
}

function isNext(
  after: JsonValue | undefined,
  before: JsonObject,
  { usedIds = [] }: KnownQuestions,
): boolean {
  if (!isObject(after) || typeof after['id'] !== 'string') return false;
  const isUsed = [before['id'], ...usedIds].includes(after['id']);
  return !isUsed && SETTLEMENT.every((field) => (after[field] ?? null) === null);
}

const NEXT_FAULT =
  'A settled record stays as it is; a question with another id and without a resolution may take its place.';

function openFault(after: JsonValue | undefined): string {
  if (isResolved(after) && !isCancelled(after)) return resolutionFault(after);
  return 'The record of an open question does not change; its resolution may be "cancelled", in a write of its own.';
}

function resolutionFault(after: JsonValue | undefined): string {
  if (isCancelled(after)) return 'There is no open question to settle.';
  const resolution = isObject(after) ? after['resolution'] : undefined;
  const how = typeof resolution === 'string' ? resolution : 'settled';
  return `Only the server settles a question as ${how}.`;
}

function isCancelled(record: JsonValue | undefined): boolean {
  return isObject(record) && record['resolution'] === 'cancelled';
}

function refused(detail: string): Ruling<never> {
  return refuse('invalid_patch', detail, {
    field: SUSPENSION_SLOT,
    accepted: 'the record as it was read, or a question that is not settled',
  });
}

/** Refuses the first state of an intent if it says how a question ended: nobody has answered it. */
export function checkFirstState(state: JsonObject): Ruling<true> {
  if (!isResolved(state[SUSPENSION_SLOT])) return ok(true);
  return refuse('invalid_request', 'An intent cannot begin with a question that is settled.', {
    field: `state.${SUSPENSION_SLOT}.resolution`,
    accepted: 'nothing',
  });
}
