import type { DecisionRule } from '../../contracts/decision.js';
import { isForEveryone, ruleInForce } from './decision.js';
import type { SuspensionState } from './state.js';

/** A rule with those besides to whom the question was delegated. Where everybody may answer, they may anyway. */
export function withDelegates(
  rule: DecisionRule,
  delegates: readonly string[] | null = [],
): DecisionRule {
  if (!delegates?.length || isForEveryone(rule.eligible)) return rule;
  const principals = [...new Set([...(rule.eligible.principals ?? []), ...delegates])];
  return { ...rule, eligible: { ...rule.eligible, principals } };
}

/** The rule by which an answer is judged now: at its attempt, with what people have changed since. */
export function currentRule({
  record,
  attempt,
  eligibility,
  delegates,
}: SuspensionState): DecisionRule {
  return withDelegates(ruleInForce(record, attempt, eligibility), delegates);
}
