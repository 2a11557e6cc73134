import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { quoted } from '../kernel/text.js';
import { SUSPENSION_SLOT } from '../intent/state-patch.js';
import { withoutClaims } from './claims.js';
import { readForms } from './record-form.js';

/** An intent's knowledge about its questions, besides its state. */
export interface KnownQuestions {
  /** Whether the intent has a running suspension. */
  readonly questionIsOpen: boolean;
  /** The last question that a suspension has opened. */
  readonly lastId?: string | undefined;
  /** Ids that other suspensions of the intent have had. */
  readonly usedIds?: readonly string[];
}

function isResolved(record: JsonValue | undefined): boolean {
  return isObject(record) && (record['resolution'] ?? null) !== null;
}

/**
 * Judges a write of `_suspension` and returns the record to keep. The slot is plain state until a suspension opens
 * from it; then the record is the server's. A write may leave it as its reader sees it, and a record with an unused
 * id may replace a settled one. Refuses `invalid_patch`, also for a list, in which nobody looks for a record. A new
 * question's claims of an answer are dropped.
 */
export function judgeRecord(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  known: KnownQuestions,
): Ruling<JsonValue | undefined> {
  if (jsonEqual(before, after)) return ok(before);
  if (!isServersRecord(before, known)) {
    return Array.isArray(after) ? refused(LIST_FAULT) : ok(withoutClaims(after));
  }
  if (after !== undefined && readForms(before).some((form) => jsonEqual(form, after))) {
    return ok(before);
  }
  if (known.questionIsOpen) return refused(openFault(after));
  return isNext(after, before, known) ? ok(withoutClaims(after)) : refused(NEXT_FAULT);
}

/** Whether the record in the slot is that of the question which a suspension has opened last. */
export function isServersRecord(
  record: JsonValue | undefined,
  { lastId }: KnownQuestions,
): record is JsonObject {
  return isObject(record) && lastId !== undefined && record['id'] === lastId;
}

function isNext(
  after: JsonValue | undefined,
  before: JsonObject,
  { usedIds = [] }: KnownQuestions,
): boolean {
  if (!isObject(after) || typeof after['id'] !== 'string') return false;
  return ![before['id'], ...usedIds].includes(after['id']);
}

const LIST_FAULT = 'A SuspensionRecord is an object.';
const NEXT_FAULT =
  'A settled record stays as it is; a question with another id may take its place.';

function openFault(after: JsonValue | undefined): string {
  if (isResolved(after) && !isCancelled(after)) return resolutionFault(after);
  return 'The record of an open question does not change; its resolution may be "cancelled", in a write of its own.';
}

function resolutionFault(after: JsonValue | undefined): string {
  const resolution = isObject(after) ? after['resolution'] : undefined;
  const how = typeof resolution === 'string' ? quoted(resolution) : 'settled';
  return `Only the server settles a question as ${how}.`;
}

function isCancelled(record: JsonValue | undefined): boolean {
  return isObject(record) && record['resolution'] === 'cancelled';
}

function refused(detail: string): Ruling<never> {
  return refuse('invalid_patch', detail, {
    field: SUSPENSION_SLOT,
    accepted: 'the record as it was read, or a question with another id',
  });
}

/** Refuses the first state of an intent whose record is a list. What a record claims in it is dropped. */
export function checkFirstState(state: JsonObject): Ruling<true> {
  if (!Array.isArray(state[SUSPENSION_SLOT])) return ok(true);
  return refuse('invalid_request', LIST_FAULT, {
    field: `state.${SUSPENSION_SLOT}`,
    accepted: 'an object',
  });
}
