import type { JsonValue } from '../contracts/json.js';
import type { NotificationRequest } from '../contracts/notification.js';
import type { SuspensionChoice } from '../contracts/suspension.js';
import type { OutgoingChoice, OutgoingMessage } from './ports.js';
import { maskPersonalData } from './personal-data.js';
import { wordQuestion } from './wording.js';

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
