import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { QuestionFindings } from '../../../contracts/suspension/findings.js';
import type {
  HumanRetryPolicy,
  LadderEntry,
  PartialRetryPolicy,
} from '../../../contracts/suspension/retry-policy.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import type {
  SuspensionChoice,
  SuspensionDraft,
} from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../kernel/json.js';
import { checkAnswerSchema } from '../form/answerable.js';
import { checkDataOfOne, resolveRule } from '../answering/decision.js';
import { declaredDenials, denialWarnings } from '../form/denials.js';
import { findingsOf } from './findings.js';
import { labelFault } from '../form/labels.js';
import type { LabelFault } from '../form/labels.js';
import { checkForm, checkText } from './readable.js';
import { CONFIRM_CHOICES } from '../answering/response.js';
import { contextOf, reservedWarnings } from './question-context.js';
import { resolvePolicy } from './retry-policy.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Limits of a question. `windowSeconds` covers all attempts together. */
export interface QuestionLimits {
  readonly contextBytes: number;
  /** The limit of the whole question, with its policy. */
  readonly questionBytes?: number;
  readonly ladderEntriesPerAttempt?: number;
  readonly windowSeconds?: number;
}

/** A question that is ready to be stored. */
export interface ResolvedQuestion {
  readonly draft: SuspensionDraft;
  /** The findings, with warnings for the asker. */
  readonly findings: QuestionFindings;
}

function firstDuplicate(choices: readonly SuspensionChoice[]): number {
  const values = choices.map((choice) => choice.value);
  return values.findIndex((value, index) => values.indexOf(value) !== index);
}

function refuseChoice(index: number, detail: string, accepted: string): Ruling<never> {
  return refuse('invalid_choices', detail, { field: `choices[${index}].value`, accepted });
}

/** Most who meet this have asked for a yes or no, and do not know that the default is another type. */
const WITHOUT_CHOICES =
  'A choice question needs choices, and a question without a response_type is a choice question.';
const TWO_BODIES =
  '{"question": "…", "response_type": "confirm"} for a yes or no, or {"question": "…", "choices": ["a", "b"]}, where a choice may also be {"value": "a", "label": "Plan A"}';

/** Returns the choices for the record, or undefined if the question has none. */
export function choicesOf(
  request: Pick<SuspendRequest, 'question' | 'response_type' | 'choices' | 'denials'>,
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

/** Refuses a schema that cannot judge or be answered, and a form that asks nothing. */
function schemaOf(request: SuspendRequest): Ruling<true> {
  const { response_type, response_schema, context } = request;
  const part = response_type === 'form' ? 'value' : 'data';
  const schema = response_schema ? checkAnswerSchema(response_schema, part) : ok(true);
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

/** Refuses a ladder that would notify too many at once. */
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

/** Returns how many entries of a ladder the attempt with most of them has. */
export function mostAtOnce(ladder: readonly Pick<LadderEntry, 'attempt'>[]): number {
  const counts = new Map<number, number>();
  for (const { attempt } of ladder) counts.set(attempt, (counts.get(attempt) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Returns the rule of the question, or undefined if the default holds. */
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

/** Refuses a question that its carriers cannot hold. */
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

/** The parts of a question that are judged by themselves. */
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
 * Turns a request to suspend into the stored question, with warnings for the caller: checks the choices and writes
 * out yes and no (R25-32, R25-33), drops reserved keys of the context, and resolves the cascade of policies (R26-72).
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
