import type { NotificationRequest } from '../contracts/notification.js';
import type { JsonObject, JsonValue } from '../contracts/primitives.js';
import type { SuspensionChoice } from '../contracts/suspension.js';
import type { OutgoingChoice, OutgoingMessage } from './channels/channel.js';

/** Keys of `context` that Holdpoint fills in; an agent's own entries under them are dropped. */
const RESERVED = ['_attempt', '_max_attempts'];

export interface RedactionRules {
  /** Top-level keys of `context` that may leave. */
  readonly context_keys: readonly string[];
  /** Names, at any depth and in any case, whose values are masked in what leaves. */
  readonly personal_data_keys: readonly string[];
  /** Whether only the recipient can read what the channel carries. */
  readonly e2e_encrypted: boolean;
}

/**
 * The one step between a notification and any channel. Of `context` only listed keys leave
 * (R25-101, R26-87); a first attempt over an end-to-end encrypted channel carries it whole, a
 * re-notification never does (AM-44). What stays behind is counted, never named. Personal data in what
 * leaves is masked, with the same exception. Pure.
 */
export function redact(request: NotificationRequest, rules: RedactionRules): OutgoingMessage {
  const { delivery_id: _delivery, question, choices, context, ...rest } = request;
  const { attempt, max_attempts } = request;
  const own = Object.entries(context ?? {}).filter(([key]) => !RESERVED.includes(key));
  const whole = rules.e2e_encrypted && attempt === 1;
  const released = own.filter(([key]) => whole || rules.context_keys.includes(key));
  const shown = Object.fromEntries(released);
  const entries: [string, JsonValue][] = [
    ...Object.entries(whole ? shown : maskPersonalData(shown, rules.personal_data_keys)),
    ['_attempt', attempt],
    ['_max_attempts', max_attempts],
  ];
  return {
    ...rest,
    text: wordQuestion(question, attempt, max_attempts),
    ...(choices === undefined ? {} : { choices: choices.map(withoutMetadata) }),
    context: Object.fromEntries(entries),
    withheld: own.length - released.length,
  };
}

function withoutMetadata({ metadata: _metadata, ...choice }: SuspensionChoice): OutgoingChoice {
  return choice;
}

/** Stands for a whole value, whatever it was: neither its type, its size nor its absence is told. */
export const MASK = '•••';

/**
 * Replaces the value under each of the given names by a mask, at any depth, lists included. Names are
 * compared without regard to case. Pure.
 */
export function maskPersonalData(object: JsonObject, names: readonly string[]): JsonObject {
  const masked = new Set(names.map((name) => name.toLowerCase()));
  const maskIn = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(maskIn);
    return typeof value === 'object' && value !== null ? maskObject(value as JsonObject) : value;
  };
  const maskObject = (inner: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [
        name,
        masked.has(name.toLowerCase()) ? MASK : maskIn(value),
      ]),
    );
  return maskObject(object);
}

/**
 * The question as an attempt words it: the first asks, later ones remind, the last one urges
 * (R26-63). A question with one attempt is never urgent.
 */
export function wordQuestion(question: string, attempt: number, maxAttempts: number): string {
  if (attempt === 1) return `Input needed: ${question}`;
  if (attempt < maxAttempts) return `Reminder (${attempt}): ${question}`;
  return `URGENT — final reminder: ${question}`;
}
