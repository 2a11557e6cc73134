import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  FallbackPolicy,
  HumanRetryPolicy,
  LadderEntry,
  PartialRetryPolicy,
} from '../../../contracts/suspension/retry-policy.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type {
  QuestionFindings,
  SuspensionChoice,
  SuspensionDraft,
} from '../../../contracts/suspension/suspension.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { jsonBytes } from '../../kernel/json.js';
import { checkDataSchema, checkSchema } from '../../schema/checks.js';
import { checkDataOfOne, resolveRule } from '../answering/decision.js';
import { declaredDenials, denialWarnings, labelFault, type LabelFault } from '../form/labels.js';
import { findingsOf } from './findings.js';
import { checkForm, checkText } from './readable.js';
import { CONFIRM_CHOICES } from '../answering/response.js';
import { contextOf, reservedWarnings } from './context.js';

type Level = PartialRetryPolicy | null | undefined;

/** The levels of the cascade (R26-64). `inherit: false` ignores platform and agent. */
interface Levels {
  readonly platform: Level;
  readonly agent: Level;
  readonly call: Level;
  readonly inherit: boolean;
}

interface CallFields {
  readonly timeout_seconds?: number | undefined;
  readonly fallback_policy?: FallbackPolicy | undefined;
}

/** The result of the cascade. `policy` is absent if no level has one. */
interface ResolvedPolicy {
  readonly policy?: HumanRetryPolicy;
  readonly fallback_policy: FallbackPolicy;
  readonly warnings: string[];
}

const INTERVAL_FIELD = 'retry_policy.interval_seconds';

function present(level: Level): PartialRetryPolicy {
  return Object.fromEntries(
    Object.entries(level ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
}

/**
 * Merges a level of the cascade with the one above (R26-65). A present field wins, null means absent (R26-66), and
 * the ladder is replaced as a whole (R26-68). Absent fields have no key.
 */
export function mergePolicies(upper: Level, lower: Level): PartialRetryPolicy {
  return { ...present(upper), ...present(lower) };
}

/**
 * Returns the interval in seconds, or undefined if `timeout_seconds` is the window; several attempts need one of the
 * two. An interval beyond the timeout is refused if the call set it, else shortened (R26-36).
 */
function intervalOf(
  merged: PartialRetryPolicy,
  own: PartialRetryPolicy,
  timeout: number | undefined,
): Ruling<number | undefined> {
  const interval = merged.interval_seconds ?? undefined;
  if (interval === undefined) {
    const attempts = merged.max_attempts ?? 1;
    if (attempts === 1 || timeout !== undefined) return ok(undefined);
    return refuse('invalid_retry_policy', `${attempts} attempts need an interval or a timeout.`, {
      field: INTERVAL_FIELD,
      accepted: 'a positive whole number of seconds',
    });
  }
  if (timeout === undefined || interval <= timeout) return ok(interval);
  if (own.interval_seconds === undefined) return ok(timeout);
  return refuse('invalid_retry_policy', 'The interval is longer than the timeout.', {
    field: INTERVAL_FIELD,
    accepted: `<= timeout_seconds (${timeout})`,
  });
}

function warningsFor(policy: HumanRetryPolicy): string[] {
  return policy.escalation_ladder
    .filter((entry) => entry.attempt > policy.max_attempts)
    .map(
      (entry) =>
        `The escalation_ladder entry for attempt ${entry.attempt} never triggers: max_attempts is ${policy.max_attempts}.`,
    );
}

/**
 * Resolves the cascade once, when a question is asked (R26-72). The call's `fallback_policy` is the
 * `final_fallback_policy` unless its own policy has one (R26-53, R26-73); the result has the one in force. A ladder
 * entry beyond the last attempt is kept with a warning, because a call may shorten an inherited policy. Refuses
 * `invalid_retry_policy`.
 */
export function resolvePolicy(levels: Levels, call: CallFields): Ruling<ResolvedPolicy> {
  const own = present(levels.call);
  const inherited = levels.inherit ? mergePolicies(levels.platform, levels.agent) : {};
  const merged = mergePolicies(inherited, own);
  if (Object.keys(merged).length === 0) {
    return ok({ fallback_policy: call.fallback_policy ?? 'fail', warnings: [] });
  }
  const interval = intervalOf(merged, own, call.timeout_seconds);
  if (!interval.ok) return interval;
  const final =
    own.final_fallback_policy ?? call.fallback_policy ?? inherited.final_fallback_policy ?? 'fail';
  const policy: HumanRetryPolicy = {
    max_attempts: merged.max_attempts ?? 1,
    ...defined({ interval_seconds: interval.value }),
    strategy: merged.strategy ?? 'fixed',
    escalation_ladder: merged.escalation_ladder ?? [],
    final_fallback_policy: final,
  };
  return ok({ policy, fallback_policy: final, warnings: warningsFor(policy) });
}

/** Limits of a question. `windowSeconds` covers all attempts together. */
export interface QuestionLimits {
  readonly contextBytes: number;
  readonly questionBytes?: number;
  readonly ladderEntriesPerAttempt?: number;
  readonly windowSeconds?: number;
}

export interface ResolvedQuestion {
  readonly draft: SuspensionDraft;
  readonly findings: QuestionFindings;
}

function firstDuplicate(choices: readonly SuspensionChoice[]): number {
  const values = choices.map((choice) => choice.value);
  return values.findIndex((value, index) => values.indexOf(value) !== index);
}

function refuseChoice(index: number, detail: string, accepted: string): Ruling<never> {
  return refuse('invalid_choices', detail, { field: `choices[${index}].value`, accepted });
}

/** Most senders that get this refusal asked for a yes or no, and do not know that the default is another type. */
const WITHOUT_CHOICES =
  'A choice question needs choices, and a question without a response_type is a choice question.';
const TWO_BODIES =
  '{"question": "…", "response_type": "confirm"} for a yes or no, or {"question": "…", "choices": ["a", "b"]}, where a choice may also be {"value": "a", "label": "Plan A"}';

/** Returns the choices for the record, or undefined if the question has none. */
export function choicesOf(
  request: Pick<SuspendRequest, 'response_type' | 'choices' | 'denials'>,
): Ruling<readonly SuspensionChoice[] | undefined> {
  const { response_type: type, choices = [] } = request;
  if (type === 'text' || type === 'form') {
    if (choices.length === 0) return ok(undefined);
    const detail = `A ${type} question has no choices.`;
    return refuse('invalid_choices', detail, { field: 'choices', accepted: 'no choices' });
  }
  const duplicate = firstDuplicate(choices);
  if (duplicate >= 0) return refuseChoice(duplicate, 'Two choices have this value.', 'a new value');
  const other = choices.findIndex(({ value }) => value !== 'yes' && value !== 'no');
  if (type === 'confirm' && other >= 0) {
    return refuseChoice(other, 'A confirm question is binary.', '"yes" or "no"');
  }
  const misread = labelFault(request);
  if (misread) return refuseLabel(misread);
  if (choices.length > 0) return ok(choices);
  if (type === 'confirm') return ok(CONFIRM_CHOICES);
  if (request.choices === undefined) {
    return refuse('invalid_choices', WITHOUT_CHOICES, { field: 'choices', accepted: TWO_BODIES });
  }
  return refuse('invalid_choices', 'A choice question needs choices.', {
    field: 'choices',
    accepted: 'at least one choice',
  });
}

function refuseLabel({ index, detail, accepted }: LabelFault): Ruling<never> {
  return refuse('invalid_choices', detail, { field: `choices[${index}].label`, accepted });
}

/** Refuses a schema that cannot judge, and a form that asks nothing. */
function schemaOf(request: SuspendRequest): Ruling<true> {
  const { response_type, response_schema, context } = request;
  const check = response_type === 'form' ? checkSchema : checkDataSchema;
  const schema = response_schema ? check(response_schema) : ok(true);
  if (!schema.ok) return schema;
  return checkForm(defined({ response_type, response_schema, context }));
}

function policyOf(
  request: SuspendRequest,
  platform: PartialRetryPolicy | null,
  limits: QuestionLimits,
): ReturnType<typeof resolvePolicy> {
  const resolved = resolvePolicy(
    {
      platform,
      agent: request.agent_retry_policy,
      call: request.retry_policy,
      inherit: request.inherit_retry_policy,
    },
    request,
  );
  if (!resolved.ok || limits.windowSeconds === undefined) return resolved;
  const { policy } = resolved.value;
  const window = policy?.interval_seconds ?? request.timeout_seconds ?? 0;
  if ((policy?.max_attempts ?? 1) * window <= limits.windowSeconds) return resolved;
  return refuse('invalid_retry_policy', 'All attempts together take too long.', {
    field: 'retry_policy.max_attempts',
    accepted: `max_attempts × window <= ${limits.windowSeconds} seconds`,
  });
}

/** Refuses a ladder that would notify too many people at once. */
function checkLadder(
  policy: HumanRetryPolicy | undefined,
  { ladderEntriesPerAttempt: most = Infinity }: QuestionLimits,
): Ruling<true> {
  if (mostAtOnce(policy?.escalation_ladder ?? []) <= most) return ok(true);
  return refuse('invalid_retry_policy', 'An attempt has too many entries in the ladder.', {
    field: 'retry_policy.escalation_ladder',
    accepted: `at most ${most} entries for one attempt`,
  });
}

export function mostAtOnce(ladder: readonly Pick<LadderEntry, 'attempt'>[]): number {
  const counts = new Map<number, number>();
  for (const { attempt } of ladder) counts.set(attempt, (counts.get(attempt) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Returns the rule of the question; undefined if the default applies. */
function decisionRuleOf(
  { decision_rule, response_type }: SuspendRequest,
  choices: readonly SuspensionChoice[] | undefined,
  denials: readonly string[] | undefined,
  policy: HumanRetryPolicy | undefined,
): Ruling<DecisionRule | undefined> {
  if (decision_rule === undefined) return ok(undefined);
  const asked = { response_type, ...(choices && { choices: [...choices] }) };
  const request = { ...decision_rule, ...(denials && { denials: [...denials] }) };
  return resolveRule(request, asked, policy?.escalation_ladder);
}

/** Refuses a question that is too large for its workflows. */
function checkSize(
  draft: SuspensionDraft,
  { questionBytes: most = Infinity }: QuestionLimits,
): Ruling<true> {
  if (jsonBytes(draft) <= most) return ok(true);
  return refuse('question_too_large', 'The question is too large as a whole.', {
    accepted: `at most ${most} bytes of JSON, with context, choices, fallback value and policy`,
  });
}

interface Parts {
  readonly choices: readonly SuspensionChoice[] | undefined;
  readonly context: JsonObject | undefined;
  readonly denials: readonly string[] | undefined;
}

function partsOf(request: SuspendRequest, limits: QuestionLimits): Ruling<Parts> {
  const readable = checkText(request.question);
  if (!readable.ok) return readable;
  const denied = request.denials ?? request.decision_rule?.denials;
  const choices = choicesOf({ ...request, ...defined({ denials: denied }) });
  if (!choices.ok) return choices;
  const context = contextOf(request, limits);
  if (!context.ok) return context;
  const schema = schemaOf(request);
  if (!schema.ok) return schema;
  const denials = declaredDenials(request, choices.value);
  if (!denials.ok) return denials;
  return ok({ choices: choices.value, context: context.value, denials: denials.value });
}

/**
 * Converts a request to suspend into the stored question, with warnings for the caller: checks the choices and adds
 * yes and no (R25-32, R25-33), drops reserved keys of the context, and resolves the cascade of policies (R26-72).
 * Refuses `invalid_choices`, `invalid_request`, `invalid_response_schema`, `invalid_retry_policy`,
 * `invalid_decision_rule` or `question_too_large`.
 *
 * @param platform - the server's default policy
 */
export function resolveQuestion(
  request: SuspendRequest,
  platform: PartialRetryPolicy | null,
  limits: QuestionLimits,
): Ruling<ResolvedQuestion> {
  const parts = partsOf(request, limits);
  if (!parts.ok) return parts;
  const { choices, context, denials } = parts.value;
  const resolved = policyOf(request, platform, limits);
  if (!resolved.ok) return resolved;
  const { policy, fallback_policy, warnings } = resolved.value;
  const ladder = checkLadder(policy, limits);
  if (!ladder.ok) return ladder;
  const rule = decisionRuleOf(request, choices, denials, policy);
  if (!rule.ok) return rule;
  const isByOne = (rule.value?.quorum ?? 1) === 1;
  const alone = checkDataOfOne(isByOne, request.response_schema);
  if (!alone.ok) return alone;
  const draft: SuspensionDraft = defined({
    question: request.question,
    text_format: request.text_format,
    response_type: request.response_type,
    choices: choices && [...choices],
    context,
    response_schema: request.response_schema,
    channel_hint: request.channel_hint,
    timeout_seconds: request.timeout_seconds,
    fallback_value: request.fallback_value,
    fallback_policy,
    retry_policy: policy,
    confidence_at_suspension: request.confidence,
    decision_record: request.decision,
    decision_rule: rule.value,
    denials: denials && [...denials],
    on_behalf_of: request.on_behalf_of,
  });
  const size = checkSize(draft, limits);
  if (!size.ok) return size;
  const more = [...warnings, ...denialWarnings(choices, denials), ...reservedWarnings(request)];
  return ok({ draft, findings: findingsOf(draft, more) });
}
