import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkDataSchema, checkSchema } from '../../schema/checks.js';
import type { Amendment } from './amendment.js';
import { checkDataOfOne, resolveRule, ruleOf } from '../answering/decision.js';
import { contextOf } from './context.js';
import { choicesOf, type QuestionLimits } from './question.js';
import { asksNothing, checkForm, checkText, fieldFault } from './readable.js';
import { defined } from '../../../contracts/constants/defined.js';

type Wanted = { readonly [K in keyof Amendment]?: Amendment[K] | undefined };

/**
 * Converts an agent's correction into new fields of its question, by the rules of asking. The response type stays,
 * and the decision rule must fit. Refuses `invalid_request`, `invalid_choices`, `invalid_response_schema`,
 * `invalid_decision_rule` and `question_too_large`.
 */
export function resolveAmendment(
  record: SuspensionRecord,
  wanted: Wanted,
  limits: QuestionLimits,
): Ruling<Amendment> {
  const fields = fieldsOf(record, wanted, limits);
  if (!fields.ok) return fields;
  const amendment = fields.value;
  if (Object.keys(amendment).length === 0) return nothing();
  const amended = { ...record, ...amendment };
  const fits = checkRule(record, amendment);
  if (!fits.ok) return fits;
  // A question of the OpenIntent API may ask nothing, or have a faulty field.
  const form = asksNothing(record) || fieldFault(record) ? ok(true) : checkForm(amended);
  if (!form.ok) return form;
  const { questionBytes: most = Infinity } = limits;
  if (jsonBytes(amended) <= most) return ok(amendment);
  return refuse('question_too_large', 'The question would be too large as a whole.', {
    accepted: `at most ${most} bytes of JSON, with context, choices, fallback value and policy`,
  });
}

function fieldsOf(
  record: SuspensionRecord,
  wanted: Wanted,
  limits: QuestionLimits,
): Ruling<Amendment> {
  const { question, text_format, response_schema } = wanted;
  const readable = question === undefined ? ok(true) : checkText(question);
  if (!readable.ok) return readable;
  const choices = wanted.choices
    ? choicesOf({ ...record, choices: wanted.choices })
    : ok(undefined);
  if (!choices.ok) return choices;
  const context = contextOf(wanted, limits);
  if (!context.ok) return context;
  const check = record.response_type === 'form' ? checkSchema : checkDataSchema;
  const schema = response_schema ? check(response_schema) : ok(true);
  if (!schema.ok) return schema;
  return ok({
    ...defined({ question, text_format }),
    ...(choices.value && { choices: [...choices.value] }),
    ...defined({ context: context.value, response_schema }),
  });
}

function checkRule(record: SuspensionRecord, amendment: Amendment): Ruling<unknown> {
  const rule = ruleOf(record);
  const alone = checkDataOfOne(rule.quorum === 1, amendment.response_schema);
  if (!alone.ok || amendment.choices === undefined) return alone;
  const asked = { ...record, ...amendment };
  return resolveRule(rule, asked, record.retry_policy?.escalation_ladder);
}

function nothing(): Ruling<never> {
  return refuse('invalid_request', 'Nothing is to be amended.', {
    accepted: 'at least one of question, text_format, choices, context and response_schema',
  });
}
