import type { JsonObject, JsonValue } from '../contracts/json.js';
import type { FallbackPolicy } from '../contracts/retry-policy.js';
import type { ResponseType } from '../contracts/suspension.js';
import { readInstant, toMillis } from './time.js';

export const RESPONSE_TYPES: readonly ResponseType[] = ['choice', 'confirm', 'text', 'form'];
export const FALLBACK_POLICIES: readonly FallbackPolicy[] = [
  ...(['fail', 'complete_with_fallback', 'use_default_and_continue'] as const),
];
const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Bounds that keep a given question within what a workflow can hold. */
export interface GivenLimits {
  readonly attempts: number;
  readonly ladderEntries: number;
  readonly choices: number;
  /** Of the whole window, in seconds. */
  readonly windowSeconds: number;
}

/** What about a given question is wrong. */
export interface Fault {
  readonly detail: string;
  readonly field: string;
  readonly accepted: string;
}

type Check = readonly [name: string, holds: boolean, accepted: string];

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
function isInstant(value: JsonValue | undefined, latest = Infinity): boolean {
  if (absent(value)) return true;
  const instant = readInstant(value);
  return instant !== undefined && toMillis(instant) <= latest;
}

function isOneOf(value: JsonValue | undefined, names: readonly string[]): boolean {
  return absent(value) || names.some((name) => name === value);
}

function policyChecks(given: JsonObject, limits: GivenLimits): readonly Check[] {
  const policy = given['retry_policy'];
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
      isOneOf(policy['final_fallback_policy'], FALLBACK_POLICIES),
      FALLBACK_POLICIES.join(', '),
    ],
  ];
}

function checksOf(given: JsonObject, now: number, limits: GivenLimits): readonly Check[] {
  const { id, question, choices, context } = given;
  const latest = now + limits.windowSeconds * 1_000;
  const hasValues = isListOf(choices, limits.choices, ({ value }) => typeof value === 'string');
  return [
    ['id', typeof id === 'string' && ENTITY_ID.test(id), 'a UUID in lower case'],
    ['question', typeof question === 'string' && question !== '', 'a text'],
    ['choices', hasValues, `up to ${limits.choices} objects with a text as value`],
    ['context', absent(context) || isObject(context), 'an object'],
    ['suspended_at', isInstant(given['suspended_at']), 'an ISO-8601 instant'],
    [
      'expires_at',
      isInstant(given['expires_at'], latest),
      `an ISO-8601 instant within ${limits.windowSeconds} seconds`,
    ],
    ['timeout_seconds', isWhole(given['timeout_seconds'], limits.windowSeconds), 'whole seconds'],
    [
      'fallback_policy',
      isOneOf(given['fallback_policy'], FALLBACK_POLICIES),
      FALLBACK_POLICIES.join(', '),
    ],
    ...policyChecks(given, limits),
  ];
}

/** What keeps a given question from being asked at `now` (ms); undefined where nothing does. */
export function faultIn(
  slot: JsonValue | undefined,
  now: number,
  limits: GivenLimits,
): Fault | undefined {
  const path = '_suspension';
  if (!isObject(slot)) {
    return { detail: 'A SuspensionRecord is an object.', field: path, accepted: 'an object' };
  }
  const type = slot['response_type'];
  if (!isOneOf(type, RESPONSE_TYPES)) {
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
