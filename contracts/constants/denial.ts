import type { SuspensionView } from '../suspension-view.js';

/**
 * Whether an answer says no, for programs that go on with a yes only: it is one of the denials of the rule, or the no of a
 * confirm question that was asked without a rule.
 */
export function isDenial(
  { record, rule }: Pick<SuspensionView, 'record' | 'rule'>,
  value: unknown,
): boolean {
  if (typeof value !== 'string') return false;
  const isPlainNo = record.decision_rule === undefined && record.response_type === 'confirm';
  return rule.denials.includes(value) || (isPlainNo && value === 'no');
}
