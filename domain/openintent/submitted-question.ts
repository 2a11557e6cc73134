import {
  CHOICE_STYLES,
  FALLBACK_POLICIES,
  RESPONSE_TYPES,
  TEXT_FORMATS,
} from '../../contracts/constants/statuses.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type {
  FallbackPolicy,
  HumanRetryPolicy,
  LadderEntry,
  Schedule,
} from '../../contracts/retry-policy.js';
import type {
  ResponseType,
  SuspensionChoice,
  SuspensionRecord,
} from '../../contracts/suspension.js';
import { jsonBytes } from '../kernel/json.js';
import { isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { readInstant, toInstant, toMillis } from '../kernel/time.js';
import { mostAtOnce } from '../suspension/question.js';
import { validChoices } from '../suspension/response.js';
import { scheduleOf } from '../suspension/schedule.js';
import { isEligible, submittedRule } from './submitted-rule.js';

const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Limits of a submitted question, so that it fits into a workflow. */
export interface SubmittedLimits {
  readonly attempts: number;
  readonly ladderEntries: number;
  readonly choices: number;
  readonly ladderEntriesPerAttempt: number;
  /** Of the record as it was written. */
  readonly questionBytes: number;
  /** Seconds over all attempts. */
  readonly windowSeconds: number;
}

/** What is wrong with a submitted question. */
interface Fault {
  readonly detail: string;
  readonly field: string;
  readonly accepted: string;
}

type Check = readonly [name: string, holds: boolean, accepted: string];

/** Null and undefined mean the same here. */
function absent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function isListOf(value: JsonValue | undefined, most: number, is: (item: JsonObject) => boolean) {
  if (absent(value)) return true;
  if (!Array.isArray(value) || value.length > most) return false;
  return (value as readonly JsonValue[]).every((item) => isObject(item) && is(item));
}

function isWhole(value: JsonValue | undefined, most: number): boolean {
  return absent(value) || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most);
}

/** Whether a value is absent, or an instant at `latest` (ms) or before. */
function isInstantUntil(value: JsonValue | undefined, latest = Infinity): boolean {
  if (absent(value)) return true;
  const instant = readInstant(value);
  return instant !== undefined && toMillis(instant) <= latest;
}

function isOptionalName(value: JsonValue | undefined, names: readonly string[]): boolean {
  return absent(value) || isOneOf(value, names);
}

function policyChecks(slot: JsonObject, limits: SubmittedLimits): readonly Check[] {
  const policy = slot['retry_policy'];
  if (!isObject(policy)) return [['retry_policy', absent(policy), 'an object']];
  const { max_attempts: attempts, interval_seconds: interval, escalation_ladder } = policy;
  const window = Number(attempts ?? 1) * Number(interval ?? 0);
  const ladder = isListOf(
    escalation_ladder,
    limits.ladderEntries,
    ({ attempt, eligible }) =>
      Number.isInteger(attempt) && (absent(eligible) || isEligible(eligible)),
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
    ['context', absent(context) || isObject(context), 'an object'],
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

/** A submitted question in our form, with its schedule. */
export interface SubmittedQuestion {
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A positive number; undefined if it is 0 or absent. Texts were refused before. */
function positive(value: JsonValue | undefined): number | undefined {
  return Number(value) > 0 ? Number(value) : undefined;
}

/** The objects of a list that was checked, or none if it is absent. */
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
    ...(description !== undefined && { description }),
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
    ...(interval !== undefined && { interval_seconds: interval }),
    strategy: 'fixed',
    escalation_ladder: ladderOf(policy),
    final_fallback_policy: fallbackOf(policy['final_fallback_policy']),
  };
}

function fallbackOf(value: JsonValue | undefined): FallbackPolicy {
  return isOneOf(value, FALLBACK_POLICIES) ? value : 'fail';
}

/** Makes the record. The slot was checked, so it has an id and a question. */
function recordOf(slot: JsonObject, now: number): SuspensionRecord {
  const { response_type, text_format } = slot;
  const type = isOneOf(response_type, RESPONSE_TYPES) ? response_type : 'choice';
  const [policy, choices] = [policyOf(slot), choicesOf(type, slot)];
  const channel = text(slot['channel_hint']);
  const seconds = positive(slot['timeout_seconds']);
  const { context, fallback_value: value, confidence_at_suspension: confidence } = slot;
  const [suspendedAt, expiresAt] = [text(slot['suspended_at']), text(slot['expires_at'])];
  return {
    id: slot['id'] as string,
    question: slot['question'] as string,
    ...(isOneOf(text_format, TEXT_FORMATS) && { text_format }),
    response_type: type,
    ...(choices && { choices }),
    ...(isObject(context) && { context }),
    ...(channel !== undefined && { channel_hint: channel }),
    suspended_at: toInstant(suspendedAt === undefined ? now : toMillis(suspendedAt)),
    ...(seconds !== undefined && { timeout_seconds: seconds }),
    ...(expiresAt !== undefined && { expires_at: toInstant(toMillis(expiresAt)) }),
    ...(value !== undefined && { fallback_value: value }),
    fallback_policy: policy?.final_fallback_policy ?? fallbackOf(slot['fallback_policy']),
    ...(policy && { retry_policy: policy }),
    ...(typeof confidence === 'number' && { confidence_at_suspension: confidence }),
  };
}

/**
 * Returns the schedule of a submitted question. Its own `expires_at` counts, and all attempts come before it.
 * If the agent's clock is ahead of ours, the first message still goes out at once.
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
 * Reads a question that an OpenIntent agent wrote into the state. The agent has resolved its policy itself,
 * so no defaults and no cascade apply. The state keeps the record as it was written. The suspension works
 * with this result: instants with a zone, the effective policy, and choices that can be taken. Refuses
 * `invalid_patch` with the field at fault.
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
