import type { Deciders } from '../../../contracts/channel/notification.js';
import type { Eligible, Vote } from '../../../contracts/suspension/decision.js';
import type { EligibilityChange } from '../../../contracts/log/journal.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { Delegates } from '../../../contracts/suspension/verbs.js';
import { approvalsIn, isForEveryone, ruleInForce } from '../answering/decision.js';
import { withDelegates } from './delegates.js';

/** The parts of a question that determine who may decide it. */
export type Decidable = OrNull<Delegates> & {
  readonly record: Pick<SuspensionRecord, 'decision_rule' | 'denials' | 'retry_policy'>;
  readonly attempt: number;
  readonly eligibility?: EligibilityChange | null;
};

type OrNull<T> = { readonly [Key in keyof T]?: T[Key] | null };

/**
 * Returns who may decide a question: by its rule, the current rung, a change of who is eligible, delegations and
 * votes.
 *
 * @param votes - those that count
 * @param askers - who asked, and for whom
 * @param passed - the principals whose delegations are in force
 */
export function decidersOf(
  question: Decidable,
  votes: readonly Vote[] = [],
  askers: readonly string[] = [],
  passed: readonly string[] = [],
): Deciders {
  const rule = ruleInForce(question.record, question.attempt, question.eligibility);
  return {
    eligible: withDelegates(rule, question).eligible,
    excluded: rule.excluded,
    askers,
    done: [...new Set([...votes.map(({ principal }) => principal), ...passed])],
    needed: Math.max(1, rule.quorum - approvalsIn(rule, votes)),
  };
}

interface Judged {
  readonly principal: string;
  readonly groups: readonly string[];
}

export function isNamed({ principals = [], groups: named = [] }: Eligible, one: Judged): boolean {
  return principals.includes(one.principal) || named.some((group) => one.groups.includes(group));
}

/**
 * Whether somebody may decide, as far as that is known of absent people. Their roles are not known, so a rule that
 * names roles may mean anybody.
 *
 * @param separate - whether separation of duties applies
 */
export function mayDecide(
  { eligible, excluded, askers }: Pick<Deciders, 'eligible' | 'excluded' | 'askers'>,
  one: Judged,
  separate: boolean,
): boolean {
  if (excluded.includes(one.principal) || (separate && askers.includes(one.principal)))
    return false;
  return isForEveryone(eligible) || (eligible.roles ?? []).length > 0 || isNamed(eligible, one);
}
