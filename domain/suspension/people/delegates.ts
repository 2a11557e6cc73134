import { defined } from '../../../contracts/constants/defined.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type {
  Delegates,
  Delegation,
  DelegationTarget,
} from '../../../contracts/suspension/verbs.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { textIn } from '../../kernel/json.js';
import { isNames } from '../../kernel/message-form.js';
import { isForEveryone, ruleInForce, type Voter } from '../answering/decision.js';
import type { SuspensionState } from '../record/state.js';
import type { Deed } from './verb.js';

/** Delegates in their stored form: null if there are none. */
interface StoredDelegates {
  readonly delegates?: Delegates['delegates'] | null;
  readonly delegate_groups?: Delegates['delegate_groups'] | null;
}

/** Adds the delegates to a rule. A rule for everybody includes them already. */
export function withDelegates(
  rule: DecisionRule,
  { delegates, delegate_groups }: StoredDelegates,
): DecisionRule {
  return withNames(rule, delegates ?? [], Object.keys(delegate_groups ?? {}));
}

function withNames(
  rule: DecisionRule,
  names: readonly string[],
  ofGroups: readonly string[],
): DecisionRule {
  const { eligible } = rule;
  if (names.length + ofGroups.length === 0 || isForEveryone(eligible)) return rule;
  const principals = [...new Set([...(eligible.principals ?? []), ...names])];
  const groups = [...new Set([...(eligible.groups ?? []), ...ofGroups])];
  return {
    ...rule,
    eligible: {
      ...eligible,
      ...(principals.length > 0 && { principals }),
      ...(groups.length > 0 && { groups }),
    },
  };
}

/**
 * The rule by which an answer is judged now: that of its attempt, with later changes by people.
 *
 * @param voter - the person it is for; a group that the question was delegated to admits neither the askers nor, by
 * their own delegation, those who delegated
 */
export function currentRule(
  state: SuspensionState,
  voter?: Voter,
  askers: readonly string[] = [],
): DecisionRule {
  const { record, attempt, eligibility, delegates = [] } = state;
  const rule = ruleInForce(record, attempt, eligibility);
  if (voter === undefined) return withDelegates(rule, state);
  const isAsker = [voter.by.principal, voter.responded_by].some((name) => askers.includes(name));
  return withNames(rule, delegates, isAsker ? [] : groupsLettingIn(state, voter.by));
}

/** The groups of a caller to which somebody else has delegated the question. */
export function groupsLettingIn(
  { delegate_groups = {} }: Delegates,
  { principal, groups }: Caller,
): readonly string[] {
  return Object.entries(delegate_groups).flatMap(([group, makers]) =>
    groups.includes(group) && makers.some((maker) => maker !== principal) ? [group] : [],
  );
}

/** Replaces the delegates. Somebody who is no longer a delegate, by name or by a group, loses the claim. */
export function withNewDelegates(before: SuspensionState, after: Delegates): SuspensionState {
  const { delegates = [], delegate_groups: _groups, ...rest } = before;
  const { claim, ...free } = rest;
  if (claim === undefined) return { ...rest, ...after };
  const { holder, as_member_of: groups = [] } = claim;
  const isNamed = delegates.includes(holder) && after.delegates?.includes(holder) !== true;
  const left = Object.keys(after.delegate_groups ?? {});
  const isMember = groups.length > 0 && !groups.some((group) => left.includes(group));
  return { ...(isNamed || isMember ? free : rest), ...after };
}

type Entry = Pick<TimelineEntry, 'kind' | 'detail'>;

interface Passed extends DelegationTarget {
  readonly by: string;
  /** The maker's groups to which the question had been delegated before. */
  readonly as_member_of: readonly string[];
}

interface Standing {
  readonly passed: Passed;
  readonly entry: Entry;
  /** Whether its maker had the question originally, without a delegation. */
  readonly isFirstHand: boolean;
}

/**
 * Returns the delegations in force, by their makers. Each person has at most one: the next replaces it, and a release
 * ends it with all that followed from it. A change of eligibility by an admin ends all.
 */
function standingIn(timeline: readonly Entry[]): Map<string, Standing> {
  const standing = new Map<string, Standing>();
  for (const entry of timeline) {
    const passed = passedOnBy(entry);
    if (passed) {
      const { by } = passed;
      if (!isSameTarget(standing.get(by)?.passed, passed)) withdraw(standing, by);
      const before = standing.get(by);
      const isReached = [...standing.values()].some((one) => reaches(one.passed, passed));
      standing.set(by, { passed, entry, isFirstHand: before?.isFirstHand ?? !isReached });
    }
    const backTo = textIn(entry.detail, 'released_by');
    if (entry.kind === 'released' && entry.detail['taken_back'] === true && backTo !== undefined) {
      withdraw(standing, backTo);
    }
    if (entry.kind === 'eligibility_changed') standing.clear();
  }
  return standing;
}

function passedOnBy({ kind, detail }: Entry): Passed | undefined {
  const [by, to] = [textIn(detail, 'delegated_by'), textIn(detail, 'to')];
  const to_group = textIn(detail, 'to_group');
  if (kind !== 'delegated' || by === undefined || (to ?? to_group) === undefined) return undefined;
  const { as_member_of: groups } = detail;
  return { by, ...defined({ to, to_group }), as_member_of: isNames(groups) ? groups : [] };
}

export function isSameTarget(one: DelegationTarget | undefined, other: DelegationTarget): boolean {
  return one?.to === other.to && one?.to_group === other.to_group;
}

/** Whether a delegation gave the question to the maker of another one, by name or by a group. */
function reaches({ to, to_group }: Passed, { by, as_member_of }: Passed): boolean {
  return to === by || (to_group !== undefined && as_member_of.includes(to_group));
}

/**
 * Ends a delegation, and those that followed from it. Two people who delegated to each other do not keep the
 * question.
 */
function withdraw(standing: Map<string, Standing>, by: string): void {
  standing.delete(by);
  const kept = new Set([...standing.values()].filter(({ isFirstHand }) => isFirstHand));
  // The loop also visits entries added to the set during iteration.
  for (const { passed } of kept) {
    for (const next of standing.values()) if (reaches(passed, next.passed)) kept.add(next);
  }
  for (const [giver, one] of standing) if (!kept.has(one)) standing.delete(giver);
}

/** Returns the delegations in a timeline, oldest first, without those that were erased. */
export function delegationsIn(timeline: readonly TimelineEntry[]): readonly Delegation[] {
  const standing = standingIn(timeline);
  return timeline.flatMap((entry) => {
    const passed = passedOnBy(entry);
    if (passed === undefined) return [];
    const { as_member_of: _groups, ...delegation } = passed;
    const in_force = standing.get(passed.by)?.entry === entry;
    const reason = textIn(entry.detail, 'reason') ?? '';
    return [{ ...delegation, reason, at: entry.at, in_force }];
  });
}

/** Returns the target of `by`'s delegation, if that is in force. */
export function delegationBy(
  timeline: readonly TimelineEntry[],
  by: string,
): DelegationTarget | undefined {
  return standingIn(timeline).get(by)?.passed;
}

/** Returns the delegates of a question, by its timeline. Empty parts are absent. */
export function delegatesIn(timeline: readonly Entry[]): Delegates {
  const all = [...standingIn(timeline).values()].map(({ passed }) => passed);
  const names = [...new Set(all.flatMap(({ to }) => to ?? []))];
  const groups = new Map<string, readonly string[]>();
  for (const { by, to_group } of all) {
    if (to_group !== undefined) groups.set(to_group, [...(groups.get(to_group) ?? []), by]);
  }
  return {
    ...(names.length > 0 && { delegates: names }),
    ...(groups.size > 0 && { delegate_groups: Object.fromEntries(groups) }),
  };
}

/** Returns the delegates of a question after one more action. */
export function delegatesAfter(
  timeline: readonly TimelineEntry[],
  [kind, detail]: NonNullable<Deed['entry']>,
): Delegates {
  return delegatesIn([...timeline, { kind, detail }]);
}
