import type { QuestionFindings } from '../../../contracts/suspension/findings.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { quoted } from '../../kernel/text.js';
import { checkValue } from '../answering/response.js';
import { alikeWarnings } from '../form/alike.js';

/** The parts of a question that decide whether its fallback could be an answer, and whether it is ever used. */
export type WithFallback = Pick<
  SuspensionRecord,
  | 'response_type'
  | 'choices'
  | 'response_schema'
  | 'fallback_policy'
  | 'fallback_value'
  | 'timeout_seconds'
  | 'retry_policy'
  | 'expires_at'
  | 'approval'
>;

/** A question may have hundreds of rungs with a warning each. */
const MOST_WARNINGS = 20;

/** Whether the question ends by itself where nobody answers. */
function ends({ timeout_seconds, retry_policy, expires_at }: WithFallback): boolean {
  return (timeout_seconds ?? retry_policy?.interval_seconds ?? expires_at) !== undefined;
}

/** Warns of unusual fallback values. None is refused. */
function fallbackWarnings(record: WithFallback, isPossible: boolean): readonly string[] {
  const { fallback_value: value, fallback_policy, approval } = record;
  if (value === undefined || approval !== undefined) return [];
  // Clients that leave nothing out send it for none.
  if (value === null && fallback_policy === 'fail') return [];
  const shown = quoted(JSON.stringify(value));
  const unused = 'The fallback value is never used';
  return [
    ...(isPossible ? [] : [`No person could answer with the fallback value ${shown}.`]),
    ...(fallback_policy === 'fail' ? [`${unused}: the fallback policy is fail.`] : []),
    ...(ends(record)
      ? []
      : [`${unused}: without timeout_seconds only an answer ends the question.`]),
  ];
}

/**
 * Finds out whether an operator could have given the fallback. It is slow: call it outside of workflow code unless
 * there is no schema.
 *
 * @param more - further warnings for the asker
 */
export function findingsOf(record: WithFallback, more: readonly string[] = []): QuestionFindings {
  const { fallback_policy, fallback_value } = record;
  const isUsed = fallback_policy !== 'fail';
  const isJudged = isUsed || fallback_value !== undefined;
  const isPossible = !isJudged || checkValue(record, fallback_value ?? null).ok;
  const own = [...fallbackWarnings(record, isPossible), ...alikeWarnings(record.choices)];
  const warnings = [...own, ...more].slice(0, MOST_WARNINGS);
  return {
    ...(isUsed && !isPossible && { fallback_value_valid: false }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Adds warnings to findings. */
export function withWarnings(
  { warnings = [], ...found }: QuestionFindings,
  more: readonly string[],
): QuestionFindings {
  const all = [...new Set([...warnings, ...more])].slice(0, MOST_WARNINGS);
  return { ...found, ...(all.length > 0 && { warnings: all }) };
}
