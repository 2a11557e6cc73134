import {
  CHOICE_STYLES,
  FALLBACK_POLICIES,
  RESPONSE_TYPES,
  TEXT_FORMATS,
} from '../../contracts/constants/statuses.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type {
  FallbackPolicy,
  HumanRetryPolicy,
  LadderEntry,
  Schedule,
} from '../../contracts/suspension/retry-policy.js';
import type {
  ResponseType,
  SuspensionChoice,
  SuspensionRecord,
} from '../../contracts/suspension/suspension.js';
import { jsonBytes } from '../kernel/json.js';
import { isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { readInstant, toInstant, toMillis } from '../kernel/time.js';
import { mostAtOnce } from '../suspension/asking/question.js';
import { validChoices } from '../suspension/answering/response.js';
import { scheduleOf } from '../suspension/asking/schedule.js';
import { isAbsent, isEligible, submittedRule } from './submitted-rule.js';
import { defined } from '../../contracts/constants/defined.js';

const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Limits of a submitted question, so that it fits into a workflow. */
export interface SubmittedLimits {
  readonly attempts: number;
  readonly ladderEntries: number;
  readonly choices: number;
  readonly ladderEntriesPerAttempt: number;
  /** The size of the record as submitted. */
  readonly questionBytes: number;
  readonly windowSeconds: number;
}

interface Fault {
  readonly detail: string;
  readonly field: string;
  readonly accepted: string;
}

type Check = readonly [name: string, holds: boolean, accepted: string];

function isListOf(value: JsonValue | undefined, most: number, is: (item: JsonObject) => boolean) {
  if (isAbsent(value)) return true;
  if (!Array.isArray(value) || value.length > most) return false;
  return (value as readonly JsonValue[]).every((item) => isObject(item) && is(item));
}

function isWhole(value: JsonValue | undefined, most: number): boolean {
  return (
    isAbsent(value) || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most)
  );
}

/** Whether a value is absent, or an instant at `latest` (ms) or before. */
function isInstantUntil(value: JsonValue | undefined, latest = Infinity): boolean {
  if (isAbsent(value)) return true;
  const instant = readInstant(value);
  return instant !== undefined && toMillis(instant) <= latest;
}

function isOptionalName(value: JsonValue | undefined, names: readonly string[]): boolean {
  return isAbsent(value) || isOneOf(value, names);
}

function policyChecks(slot: JsonObject, limits: SubmittedLimits): readonly Check[] {
  const policy = slot['retry_policy'];
  if (!isObject(policy)) return [['retry_policy', isAbsent(policy), 'an object']];
  const { max_attempts: attempts, interval_seconds: interval, escalation_ladder } = policy;
  const window = Number(attempts ?? 1) * Number(interval ?? 0);
  const ladder = isListOf(
    escalation_ladder,
    limits.ladderEntries,
    ({ attempt, eligible }) =>
      Number.isInteger(attempt) && (isAbsent(eligible) || isEligible(eligible)),
  );
  return [
    ['retry_policy.max_attempts', isWhole(attempts, limits.attempts), `up to ${limits.attempts}`],
    ['retry_policy.interval_seconds', isWhole(interval, limits.windowSeconds), 'whole seconds'],
    ['retry_policy', window <= limits.windowSeconds, `at most ${limits.windowSeconds} seconds`],
    ['retry_policy.escalation_ladder', ladder, 'entries with an attempt'],
    [
      'retry_policy.escalation_ladder',
      ladder && mostAtOnce(ladderOf(policy)) <= limits.ladderEntriesPerAttempt,
      `a list with at most ${limits.ladderEntriesPerAttempt} entries for one attempt`,
    ],
    [
      'retry_policy.final_fallback_policy',
      isOptionalName(policy['final_fallback_policy'], FALLBACK_POLICIES),
      FALLBACK_POLICIES.join(', '),
    ],
  ];
}

function checksOf(slot: JsonObject, now: number, limits: SubmittedLimits): readonly Check[] {
  const { id, question, choices, context } = slot;
  const latest = now + limits.windowSeconds * 1_000;
  const hasValues = isListOf(choices, limits.choices, ({ value }) => typeof value === 'string');
  return [
    ['id', typeof id === 'string' && ENTITY_ID.test(id), 'a UUID in lower case'],
    ['question', typeof question === 'string' && question !== '', 'a text'],
    ['choices', hasValues, `up to ${limits.choices} objects with a text as value`],
    ['context', isAbsent(context) || isObject(context), 'an object'],
    ['suspended_at', isInstantUntil(slot['suspended_at']), 'an ISO-8601 instant'],
    [
      'expires_at',
      isInstantUntil(slot['expires_at'], latest),
      `an ISO-8601 instant within ${limits.windowSeconds} seconds`,
    ],
    ['timeout_seconds', isWhole(slot['timeout_seconds'], limits.windowSeconds), 'whole seconds'],
    [
      'fallback_policy',
      isOptionalName(slot['fallback_policy'], FALLBACK_POLICIES),
      FALLBACK_POLICIES.join(', '),
    ],
    ...policyChecks(slot, limits),
  ];
}

/** Returns what prevents a submitted question from being asked at `now` (ms), or undefined. */
function faultIn(
  slot: JsonValue | undefined,
  now: number,
  limits: SubmittedLimits,
): Fault | undefined {
  const path = '_suspension';
  if (!isObject(slot)) {
    return { detail: 'A SuspensionRecord is an object.', field: path, accepted: 'an object' };
  }
  const type = slot['response_type'];
  if (!isOptionalName(type, RESPONSE_TYPES)) {
    const listed = RESPONSE_TYPES.map((name) => `'${name}'`).join(', ');
    const accepted = `one of: [${listed}]`;
    const detail = `Unknown response_type ${typeof type === 'string' ? `'${type}'` : JSON.stringify(type)}. Expected ${accepted}`;
    return { detail, field: `${path}.response_type`, accepted };
  }
  if (jsonBytes(slot) > limits.questionBytes) {
    const accepted = `at most ${limits.questionBytes} bytes of JSON`;
    return { detail: `${path} is too large: it may have ${accepted}.`, field: path, accepted };
  }
  const fault = checksOf(slot, now, limits).find(([, holds]) => !holds);
  if (fault === undefined) return undefined;
  const [name, , accepted] = fault;
  const field = `${path}.${name}`;
  return { detail: `${field} is not accepted: it must be ${accepted}.`, field, accepted };
}

export interface SubmittedQuestion {
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A positive number; undefined if it is 0 or absent. Texts have been refused already. */
function positive(value: JsonValue | undefined): number | undefined {
  return Number(value) > 0 ? Number(value) : undefined;
}

/** The objects of a checked list; empty if it is absent. */
function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[];
}

function choiceOf(choice: JsonObject): SuspensionChoice {
  const value = text(choice['value']) ?? '';
  const description = text(choice['description']);
  const style = choice['style'];
  const metadata = choice['metadata'];
  return {
    value,
    label: text(choice['label']) ?? value,
    ...defined({ description }),
    ...(isOneOf(style, CHOICE_STYLES) && { style }),
    ...(isObject(metadata) && { metadata }),
  };
}

/** The possible answers. For a confirm question these are yes and no, whatever the record lists. */
function choicesOf(type: ResponseType, slot: JsonObject): SuspensionChoice[] | undefined {
  if (type === 'text' || type === 'form') return undefined;
  const listed = objects(slot['choices']).map(choiceOf);
  if (type === 'choice') return listed.length > 0 ? listed : undefined;
  return [...validChoices({ response_type: type, choices: listed })];
}

/** Attempts count from 1. The SDK ignores entries without such an attempt, and so do we. */
function ladderOf(policy: JsonObject): LadderEntry[] {
  return objects(policy['escalation_ladder']).flatMap((entry) => {
    const attempt = positive(entry['attempt']);
    if (attempt === undefined) return [];
    const channel_hint = text(entry['channel_hint']) ?? '';
    const { eligible } = entry;
    const level = isEligible(eligible) && { eligible };
    return [{ attempt, channel_hint, notify_to: text(entry['notify_to']) ?? null, ...level }];
  });
}

/** Without an interval there is one attempt, whatever the policy says. The SDK does the same. */
function policyOf(slot: JsonObject): HumanRetryPolicy | undefined {
  const policy = slot['retry_policy'];
  if (!isObject(policy)) return undefined;
  const interval = positive(policy['interval_seconds']);
  return {
    max_attempts: interval === undefined ? 1 : (positive(policy['max_attempts']) ?? 1),
    ...defined({ interval_seconds: interval }),
    strategy: 'fixed',
    escalation_ladder: ladderOf(policy),
    final_fallback_policy: fallbackOf(policy['final_fallback_policy']),
  };
}

function fallbackOf(value: JsonValue | undefined): FallbackPolicy {
  return isOneOf(value, FALLBACK_POLICIES) ? value : 'fail';
}

/** Makes the record from a checked slot, which has an id and a question. */
function recordOf(slot: JsonObject, now: number): SuspensionRecord {
  const { response_type, text_format } = slot;
  const type = isOneOf(response_type, RESPONSE_TYPES) ? response_type : 'choice';
  const policy = policyOf(slot);
  const { context, fallback_value: value, confidence_at_suspension: confidence } = slot;
  const [suspendedAt, expiresAt] = [text(slot['suspended_at']), text(slot['expires_at'])];
  return defined({
    id: slot['id'] as string,
    question: slot['question'] as string,
    text_format: isOneOf(text_format, TEXT_FORMATS) ? text_format : undefined,
    response_type: type,
    choices: choicesOf(type, slot),
    context: isObject(context) ? context : undefined,
    channel_hint: text(slot['channel_hint']),
    suspended_at: suspendedAt === undefined ? toInstant(now) : inUtc(suspendedAt),
    timeout_seconds: positive(slot['timeout_seconds']),
    expires_at: expiresAt === undefined ? undefined : inUtc(expiresAt),
    fallback_value: value,
    fallback_policy: policy?.final_fallback_policy ?? fallbackOf(slot['fallback_policy']),
    retry_policy: policy,
    confidence_at_suspension: typeof confidence === 'number' ? confidence : undefined,
  });
}

function inUtc(instant: string): string {
  return toInstant(toMillis(instant));
}

/**
 * Returns the schedule of a submitted question; its attempts come before its own `expires_at`. If the agent's clock
 * is ahead of ours, the first message is still sent at once.
 */
function instantsOf(record: SuspensionRecord, now: number): Schedule {
  const start = Math.min(toMillis(record.suspended_at), now);
  const schedule = scheduleOf({ ...record, suspended_at: toInstant(start) });
  const { expires_at } = record;
  if (expires_at === undefined) return schedule;
  const end = toMillis(expires_at);
  const inTime = schedule.attempts.filter(({ attempt, at }) => attempt === 1 || toMillis(at) < end);
  const attempts = inTime.map((attempt, index) => ({
    ...attempt,
    next_attempt_at: inTime[index + 1]?.at ?? null,
  }));
  return { attempts, expires_at };
}

/**
 * Reads a question from the state, without defaults and cascade, because the agent has resolved its policy. The state
 * keeps the record as written. Refuses `invalid_patch` with the field at fault.
 */
export function submittedQuestion(
  slot: JsonValue | undefined,
  now: number,
  limits: SubmittedLimits,
): Ruling<SubmittedQuestion> {
  const fault = faultIn(slot, now, limits);
  if (fault !== undefined || !isObject(slot)) {
    const { detail = 'No question.', ...extra } = fault ?? {};
    return refuse('invalid_patch', detail, extra);
  }
  const plain = recordOf(slot, now);
  const decision = submittedRule(slot, plain);
  if (!decision.ok) return decision;
  const record = { ...plain, ...decision.value };
  const schedule = instantsOf(record, now);
  const { expires_at } = schedule;
  return ok({ record: expires_at === undefined ? record : { ...record, expires_at }, schedule });
}
