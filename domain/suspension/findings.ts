import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { checkValue } from './response.js';

/** What of a question decides whether its fallback could be an answer. */
export type WithFallback = Pick<
  SuspensionRecord,
  'response_type' | 'choices' | 'response_schema' | 'fallback_policy' | 'fallback_value'
>;

/**
 * Finds out about a question what costs work in proportion to what its asker sends: whether an operator could have answered with its
 * fallback. To be called where it is asked or amended, outside of workflow code, unless it has no schema.
 */
export function findingsOf(record: WithFallback): QuestionFindings {
  if (record.fallback_policy === 'fail') return {};
  const { ok } = checkValue(record, record.fallback_value ?? null);
  return ok ? {} : { fallback_value_valid: false };
}
