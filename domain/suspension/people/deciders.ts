import type { Deciders } from '../../../contracts/channel/notification.js';
import type { Eligible, Vote } from '../../../contracts/suspension/decision.js';
import type { EligibilityChange } from '../../../contracts/log/journal.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { Delegates } from '../../../contracts/suspension/verbs.js';
import { approvalsIn, isForEveryone, ruleInForce } from '../answering/decision.js';
import { withDelegates } from './delegates.js';

/** A question as far as it says who may decide it. */
export type Decidable = OrNull<Delegates> & {
  readonly record: Pick<SuspensionRecord, 'decision_rule' | 'denials' | 'retry_policy'>;
  readonly attempt: number;
  readonly eligibility?: EligibilityChange | null;
};

type OrNull<T> = { readonly [Key in keyof T]?: T[Key] | null };

/**
 * Returns who may decide a question: by its rule, the rung in force, a change of who is eligible, delegations and votes.
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

/** Somebody who is judged by its name and its groups. */
interface Judged {
  readonly principal: string;
  readonly groups: readonly string[];
}

/** Whether a rule names somebody, or a group of theirs. */
export function isNamed({ principals = [], groups: named = [] }: Eligible, one: Judged): boolean {
  return principals.includes(one.principal) || named.some((group) => one.groups.includes(group));
}

/**
 * Whether somebody may decide, as far as that is known of people who are away. Nobody knows their roles, so a rule that
 * names roles may mean anybody.
 *
 * @param separate - whether duties are separate
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
