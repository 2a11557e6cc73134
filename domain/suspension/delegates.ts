import type { DecisionRule } from '../../contracts/decision.js';
import type { Claim, Delegation } from '../../contracts/suspension-verbs.js';
import type { TimelineEntry } from '../../contracts/suspension.js';
import { isForEveryone, ruleInForce } from './decision.js';
import type { SuspensionState } from './state.js';
import { textIn } from './verb.js';

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

/** The delegations that a timeline tells of, oldest first, but for those that were erased. */
export function delegationsIn(timeline: readonly TimelineEntry[]): readonly Delegation[] {
  return timeline.flatMap((entry) => {
    const [by, to] = [textIn(entry, 'delegated_by'), textIn(entry, 'to')];
    if (entry.kind !== 'delegated' || by === undefined || to === undefined) return [];
    return [{ by, to, reason: textIn(entry, 'reason') ?? '', at: entry.at }];
  });
}

/** Who passed a question on to the holder of its claim, if nobody has passed it on since. */
export function delegatorOf(
  timeline: readonly TimelineEntry[],
  held: Pick<Claim, 'holder'> | undefined,
): string | undefined {
  const last = delegationsIn(timeline).at(-1);
  return last !== undefined && last.to === held?.holder ? last.by : undefined;
}
