import type { Refusal } from '../kernel/problem.js';
import type { AskChoice, AskOptions, AskRemind, AskTo, AnyAskResult } from '../suspension/ask.js';
import type { SuspendBody } from '../suspension/requests.js';
import type { LadderEntry } from '../suspension/retry-policy.js';
import type { SuspensionRecord } from '../suspension/suspension.js';
import { defined } from './defined.js';
import { DURATION_FORMS, durationOf, secondsOf } from './duration.js';
import { fallbackCounts } from './fallback.js';
import { LIMITS } from './limits.js';
import { nearestName } from './command-name.js';

/** Thrown for options of `ask` that make no valid question. Nothing was sent. */
export class InvalidAskError extends Error {
  override readonly name: string = 'InvalidAskError';
  readonly refusal: Refusal;

  constructor(field: string, detail: string, accepted: string) {
    super(detail);
    this.refusal = { code: 'invalid_request', detail, field, accepted };
  }
}

const NAMES = ['choices', 'text', 'form', 'context', 'timeout', 'remind', 'to', 'fallback'];

/** The option names of `ask`, by the field names of the wire. */
const NAME_OF_FIELD: Readonly<Record<string, string>> = {
  timeout_seconds: 'timeout',
  retry_policy: 'remind',
  fallback_value: 'fallback',
  fallback_policy: 'fallback',
  response_schema: 'form',
  decision_rule: 'to',
  channel_hint: 'to',
  notify_to: 'to',
  request_key: 'key',
};

const MOST_REMINDERS = LIMITS.attempts - 1;

/**
 * Converts the options of `ask` into a question of the wire. The service checks the rest.
 *
 * @param others - the names of further options, which the caller has removed
 * @throws InvalidAskError for an unknown option, an invalid duration, and options that contradict each other
 */
export function questionOf(
  question: string,
  options: AskOptions,
  others: readonly string[],
): Omit<SuspendBody, 'request_key'> {
  if (typeof question !== 'string') {
    const detail = "The question comes first: ask('Refund order #12345?', { timeout: '1h' }).";
    throw new InvalidAskError('question', detail, 'a text');
  }
  refuseUnknown(options, [...NAMES, ...others]);
  const { context, fallback, to } = options;
  const { timeout_seconds, ...windows } = windowsOf(options);
  const { channel, decision_rule, ladder } = recipientsOf(to, windows.max_attempts);
  const retry_policy = { ...windows, ...defined({ escalation_ladder: ladder }) };
  return {
    question,
    ...kindOf(options),
    ...defined({ context, timeout_seconds }),
    ...(fallback === undefined
      ? { fallback_policy: 'fail' }
      : { fallback_policy: 'complete_with_fallback', fallback_value: fallback }),
    ...(Object.keys(retry_policy).length > 0 && { retry_policy }),
    ...defined({ channel_hint: channel, decision_rule }),
  };
}

/** Refuses unknown options, because they would have no effect. */
function refuseUnknown(given: object, known: readonly string[], place = ''): void {
  const [name] = Object.keys(given).filter((each) => !known.includes(each));
  if (name === undefined) return;
  const meant = NAME_OF_FIELD[name] ?? nearestName(name.slice(0, LIMITS.nameCharacters), known);
  const isKnown = meant !== undefined && known.includes(meant);
  const accepted = isKnown ? `${place}${meant}` : known.join(', ');
  const field = `${place}${name}`;
  const instead = isKnown ? `write ${accepted}` : `it has ${accepted}`;
  throw new InvalidAskError(field, `ask has no option ${field}: ${instead}.`, accepted);
}

function kindOf({ choices, text, form }: AskOptions) {
  if ([choices, text, form].filter((kind) => kind !== undefined).length > 1) {
    const accepted = 'one of choices, text and form';
    throw new InvalidAskError('choices', `Give ${accepted}.`, accepted);
  }
  if (text !== undefined) return { response_type: 'text' } as const;
  if (form !== undefined) return { response_type: 'form', response_schema: form } as const;
  if (choices === undefined) return { response_type: 'confirm' } as const;
  const listed = listOf(choices, 'choices', "a list such as ['refund', 'keep']");
  return { response_type: 'choice', choices: listed.map(choiceOf) } as const;
}

function choiceOf(choice: AskChoice) {
  if (typeof choice === 'string') return { value: choice, label: choice };
  return defined({ ...choice, label: choice.label ?? choice.value });
}

function listOf<T>(value: readonly T[], field: string, accepted: string): readonly T[] {
  const isList: boolean = Array.isArray(value);
  if (isList) return value;
  throw new InvalidAskError(field, `${field} is not ${accepted}.`, accepted);
}

function secondsIn(text: string, field: string): number {
  const seconds = typeof text === 'string' ? secondsOf(text) : undefined;
  if (seconds !== undefined) return seconds;
  const detail = `${field} is no duration: write ${DURATION_FORMS}.`;
  throw new InvalidAskError(field, detail, DURATION_FORMS);
}

interface Windows {
  readonly timeout_seconds?: number;
  readonly interval_seconds?: number;
  readonly max_attempts?: number;
}

/** The time for an answer: that of the only attempt, or several attempts with an interval. */
function windowsOf({ timeout, remind }: AskOptions): Windows {
  const total = timeout === undefined ? undefined : secondsIn(timeout, 'timeout');
  if (remind === undefined) return defined({ timeout_seconds: total });
  refuseUnknown(remind, ['every', 'times'], 'remind.');
  const interval_seconds = secondsIn(remind.every, 'remind.every');
  return { interval_seconds, max_attempts: 1 + remindersOf(remind, interval_seconds, total) };
}

/** The number of reminders. `total` is the time until the question expires in seconds, if the asker set it. */
function remindersOf({ times }: AskRemind, interval: number, total: number | undefined): number {
  const every = durationOf(interval);
  const counted = times ?? (total ?? NaN) / interval - 1;
  if (!Number.isInteger(counted) || counted < 1 || counted > MOST_REMINDERS) {
    if (times === undefined && total !== undefined) {
      const detail = `remind.every is ${every}, which does not divide the timeout of ${durationOf(total)} into 2 to ${LIMITS.attempts} equal parts.`;
      throw new InvalidAskError('remind.every', detail, 'such a part, or times and no timeout');
    }
    const accepted = `a whole number from 1 to ${MOST_REMINDERS}`;
    const detail = `remind needs a timeout, or times: ${accepted}.`;
    throw new InvalidAskError('remind.times', detail, accepted);
  }
  const end = durationOf((counted + 1) * interval);
  if (total === undefined || durationOf(total) === end) return counted;
  const detail = `With ${counted} reminders every ${every} the question expires after ${end}, not after ${durationOf(total)}.`;
  throw new InvalidAskError('timeout', detail, `no timeout, or '${end}'`);
}

interface Recipients {
  readonly channel?: string;
  readonly decision_rule?: SuspendBody['decision_rule'];
  readonly ladder?: LadderEntry[];
}

/** Who may answer, and who is notified: the named people on the named channel, at each attempt. */
function recipientsOf(to: string | AskTo | undefined, attempts = 1): Recipients {
  if (to === undefined) return {};
  const named: AskTo = typeof to === 'string' ? { people: [to] } : to;
  refuseUnknown(named, ['people', 'groups', 'channel'], 'to.');
  const { channel } = named;
  const principals = [...listOf(named.people ?? [], 'to.people', 'a list of principals')];
  const groups = [...listOf(named.groups ?? [], 'to.groups', 'a list of groups')];
  const names = [...principals, ...groups];
  if (names.length === 0 && (channel === undefined || named.people || named.groups)) {
    const accepted = 'people, groups or a channel';
    throw new InvalidAskError('to', `to names nobody: give ${accepted}.`, accepted);
  }
  if (names.length === 0) return defined({ channel });
  const decision_rule = { eligible: { principals, groups } };
  if (channel === undefined) return { decision_rule };
  const ladder = Array.from({ length: attempts }, (_, at) =>
    names.map((notify_to) => ({ attempt: at + 1, channel_hint: channel, notify_to })),
  ).flat();
  return { channel, decision_rule, ladder };
}

/** Returns the answer of a settled question, or its fallback; undefined if it has neither. */
export function resultOf(record: SuspensionRecord): AnyAskResult | undefined {
  const is_fallback = fallbackCounts(record);
  if (record.resolution !== 'responded' && !is_fallback) return undefined;
  const value = (is_fallback ? record.fallback_value : record.response) ?? null;
  const result = {
    value,
    choice: record.choices?.find((choice) => choice.value === value) ?? null,
    by: record.responded_by ?? null,
    comment: record.comment ?? null,
    at: record.responded_at ?? record.settled_at ?? record.suspended_at,
    is_fallback,
    suspension_id: record.id,
  };
  return record.response_type === 'confirm' ? { ...result, approved: value === 'yes' } : result;
}
