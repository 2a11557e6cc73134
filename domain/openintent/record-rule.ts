import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { withShortId } from '../intent/masked-event.js';
import { isObject } from '../kernel/message-form.js';
import { metadataWithNotes } from '../suspension/answering/response.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { quoted } from '../kernel/text.js';
import { SUSPENSION_SLOT } from '../intent/state-patch.js';
import { withoutClaims } from './claims.js';

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?Z$/;
const RECORD_TIMES = ['suspended_at', 'expires_at', 'responded_at', 'settled_at'];

/** Converts an instant for the OpenIntent SDK: naive UTC with microseconds, no `Z`. Other texts stay. */
export function naiveTime(instant: string): string {
  const match = INSTANT.exec(instant);
  if (match?.[1] === undefined) return instant;
  return `${match[1]}.${(match[2] ?? '').padEnd(6, '0')}`;
}

/**
 * Converts a record for the OpenIntent SDK. One ended by a portfolio's deadline appears as cancelled, because after
 * `expired` the SDK would use the fallback (R26-28).
 */
export function wireRecord(record: JsonObject): JsonObject {
  const { resolution, reason } = record as Pick<SuspensionRecord, 'resolution' | 'reason'>;
  const ended = endedByDeadline({ resolution, reason }) && { resolution: 'cancelled' };
  // The SDK does not know them.
  const { response_schema: _schema, approval: _approval, comment, data, ...known } = record;
  const { metadata } = known as Pick<SuspensionRecord, 'metadata'>;
  const notes = metadataWithNotes({ comment, data, metadata } as Pick<
    SuspensionRecord,
    'comment' | 'data' | 'metadata'
  >);
  const entries = Object.entries({ ...known, ...defined({ metadata: notes }), ...ended }).map(
    ([name, value]) => {
      const isTime = RECORD_TIMES.includes(name) && typeof value === 'string';
      return [name, isTime ? naiveTime(value) : value] as const;
    },
  );
  return Object.fromEntries(entries);
}

/** The forms in which somebody may have read a record: through either API, with its id whole or shortened. */
export function readForms(record: JsonValue): readonly JsonValue[] {
  if (!isObject(record)) return [record];
  const short = withShortId(record, 'id') as JsonObject;
  return [record, short, wireRecord(record), wireRecord(short)];
}

/** What an intent knows about its questions, besides its state. */
export interface KnownQuestions {
  readonly questionIsOpen: boolean;
  readonly lastId?: string | undefined;
  readonly usedIds?: readonly string[];
}

function isResolved(record: JsonValue | undefined): boolean {
  return isObject(record) && (record['resolution'] ?? null) !== null;
}

/**
 * Judges a write of `_suspension` and returns the record to keep. Once a suspension opens from it, the record is the
 * server's; a record with an unused id may replace a settled one. Refuses `invalid_patch`. A new question's claims of
 * an answer are dropped.
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

/** Whether the record in the slot is that of the last opened question. */
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

/** Refuses an initial state whose record is a list. Claims of an answer in its record are dropped. */
export function checkFirstState(state: JsonObject): Ruling<true> {
  if (!Array.isArray(state[SUSPENSION_SLOT])) return ok(true);
  return refuse('invalid_request', LIST_FAULT, {
    field: `state.${SUSPENSION_SLOT}`,
    accepted: 'an object',
  });
}
