import type { JsonObject, JsonValue } from '../contracts/json.js';
import type { Ruling } from '../contracts/refusal.js';
import type { FallbackPolicy, HumanRetryPolicy, LadderEntry } from '../contracts/retry-policy.js';
import type { Schedule } from '../contracts/schedule.js';
import type { ResponseType, SuspensionChoice, SuspensionRecord } from '../contracts/suspension.js';
import { faultIn, FALLBACK_POLICIES, isObject, RESPONSE_TYPES } from './given-form.js';
import type { GivenLimits } from './given-form.js';
import { CONFIRM_CHOICES } from './response.js';
import { ok, refuse } from './ruling.js';
import { scheduleOf } from './schedule.js';
import { toInstant, toMillis } from './time.js';

/** A question as its suspension keeps it, and its instants. */
export interface GivenQuestion {
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
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];
}

function choiceOf(choice: JsonObject): SuspensionChoice {
  const value = text(choice['value']) ?? '';
  const description = text(choice['description']);
  const style = (['primary', 'danger', 'default'] as const).find(
    (name) => name === choice['style'],
  );
  const metadata = choice['metadata'];
  return {
    value,
    label: text(choice['label']) ?? value,
    ...(description !== undefined && { description }),
    ...(style !== undefined && { style }),
    ...(isObject(metadata) && { metadata }),
  };
}

/** What can be answered: of a confirm question yes and no, whatever it lists (AM-12). */
function choicesOf(type: ResponseType, given: JsonObject): SuspensionChoice[] | undefined {
  if (type === 'text' || type === 'form') return undefined;
  const listed = objects(given['choices']).map(choiceOf);
  if (type === 'choice') return listed.length > 0 ? listed : undefined;
  return CONFIRM_CHOICES.map((usual) => listed.find(({ value }) => value === usual.value) ?? usual);
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
function policyOf(given: JsonObject): HumanRetryPolicy | undefined {
  const policy = given['retry_policy'];
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
  return FALLBACK_POLICIES.find((policy) => policy === value) ?? 'fail';
}

function recordOf(given: JsonObject, now: number): SuspensionRecord {
  const type = RESPONSE_TYPES.find((name) => name === given['response_type']) ?? 'choice';
  const policy = policyOf(given);
  const choices = choicesOf(type, given);
  const channel = text(given['channel_hint']);
  const seconds = positive(given['timeout_seconds']);
  const { context, fallback_value: value, confidence_at_suspension: confidence } = given;
  const suspendedAt = text(given['suspended_at']);
  const expiresAt = text(given['expires_at']);
  return {
    id: text(given['id']) ?? '',
    question: text(given['question']) ?? '',
    response_type: type,
    ...(choices && { choices }),
    ...(isObject(context) && { context }),
    ...(channel !== undefined && { channel_hint: channel }),
    suspended_at: toInstant(suspendedAt === undefined ? now : toMillis(suspendedAt)),
    ...(seconds !== undefined && { timeout_seconds: seconds }),
    ...(expiresAt !== undefined && { expires_at: toInstant(toMillis(expiresAt)) }),
    ...(value !== undefined && { fallback_value: value }),
    fallback_policy: policy?.final_fallback_policy ?? fallbackOf(given['fallback_policy']),
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
 * the agent, so that no default and no cascade is put over it. The state keeps it as it was given; this is
 * what its suspension works with: instants with a zone, the policy that counts, choices that can be taken.
 * Refuses `invalid_patch` with the field at fault where it cannot be asked.
 */
export function givenQuestion(
  slot: JsonValue | undefined,
  now: number,
  limits: GivenLimits,
): Ruling<GivenQuestion> {
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
