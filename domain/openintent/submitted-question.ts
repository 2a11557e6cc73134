import {
  CHOICE_STYLES,
  FALLBACK_POLICIES,
  RESPONSE_TYPES,
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
import { isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { readInstant, toInstant, toMillis } from '../kernel/time.js';
import { validChoices } from '../suspension/response.js';
import { scheduleOf } from '../suspension/schedule.js';

const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Bounds that keep a given question within what a workflow can hold. */
export interface SubmittedLimits {
  readonly attempts: number;
  readonly ladderEntries: number;
  readonly choices: number;
  /** Of the whole window, in seconds. */
  readonly windowSeconds: number;
}

/** What about a given question is wrong. */
interface Fault {
  readonly detail: string;
  readonly field: string;
  readonly accepted: string;
}

type Check = readonly [name: string, holds: boolean, accepted: string];

/** Null and nothing are the same. */
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

/** Whether it is left out or an instant, of `latest` (ms) at most. */
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
  const ladder = isListOf(escalation_ladder, limits.ladderEntries, ({ attempt }) =>
    Number.isInteger(attempt),
  );
  return [
    ['retry_policy.max_attempts', isWhole(attempts, limits.attempts), `up to ${limits.attempts}`],
    ['retry_policy.interval_seconds', isWhole(interval, limits.windowSeconds), 'whole seconds'],
    ['retry_policy', window <= limits.windowSeconds, `at most ${limits.windowSeconds} seconds`],
    ['retry_policy.escalation_ladder', ladder, 'entries with an attempt'],
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

/** What keeps a given question from being asked at `now` (ms); undefined where nothing does. */
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
  const fault = checksOf(slot, now, limits).find(([, holds]) => !holds);
  if (fault === undefined) return undefined;
  const [name, , accepted] = fault;
  const field = `${path}.${name}`;
  return { detail: `${field} is not accepted: it must be ${accepted}.`, field, accepted };
}

/** A question as its suspension keeps it, and its instants. */
export interface SubmittedQuestion {
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function positive(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((item) => isObject(item))
    : [];
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

/** What can be answered: of a confirm question yes and no, whatever it lists (AM-12). */
function choicesOf(type: ResponseType, slot: JsonObject): SuspensionChoice[] | undefined {
  if (type === 'text' || type === 'form') return undefined;
  const listed = objects(slot['choices']).map(choiceOf);
  if (type === 'choice') return listed.length > 0 ? listed : undefined;
  return [...validChoices({ response_type: type, choices: listed })];
}

/** As the SDK follows it: an entry of no attempt, which begin with 1, never comes. */
function ladderOf(policy: JsonObject): LadderEntry[] {
  return objects(policy['escalation_ladder']).flatMap((entry) => {
    const attempt = positive(entry['attempt']);
    if (attempt === undefined) return [];
    const channel_hint = text(entry['channel_hint']) ?? '';
    return [{ attempt, channel_hint, notify_to: text(entry['notify_to']) ?? null }];
  });
}

/** As the SDK follows it: without an interval there is one attempt, whatever the policy says. */
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

function recordOf(slot: JsonObject, now: number): SuspensionRecord {
  const { response_type } = slot;
  const type = isOneOf(response_type, RESPONSE_TYPES) ? response_type : 'choice';
  const policy = policyOf(slot);
  const choices = choicesOf(type, slot);
  const channel = text(slot['channel_hint']);
  const seconds = positive(slot['timeout_seconds']);
  const { context, fallback_value: value, confidence_at_suspension: confidence } = slot;
  const suspendedAt = text(slot['suspended_at']);
  const expiresAt = text(slot['expires_at']);
  return {
    id: text(slot['id']) ?? '',
    question: text(slot['question']) ?? '',
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
 * The instants of a given question: its own `expires_at` counts, and attempts come before it. A clock of
 * the agent that is ahead of ours does not put off the first message.
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
 * Reads a question as an OpenIntent agent has written it into the state (wire contract §3.2): resolved by
 * the agent, so that no default and no cascade is put over it. The state keeps it as it was slot; this is
 * what its suspension works with: instants with a zone, the policy that counts, choices that can be taken.
 * Refuses `invalid_patch` with the field at fault where it cannot be asked.
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
  const record = recordOf(slot, now);
  const schedule = instantsOf(record, now);
  const { expires_at } = schedule;
  return ok({ record: expires_at === undefined ? record : { ...record, expires_at }, schedule });
}
