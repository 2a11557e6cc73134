import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { Claim, Delegation, DelegationTarget } from '../../../contracts/suspension/verbs.js';
import { isNames, isObject } from '../../kernel/message-form.js';
import { checkInOrder, ok, refuse } from '../../kernel/ruling.js';
import { plusSeconds, toInstant } from '../../kernel/time.js';
import { authorize } from '../../policy/authorize.js';
import { checkFree, claimAt, membershipOf } from './claim.js';
import { checkVoter, ruleOf } from '../answering/decision.js';
import {
  currentRule,
  delegatesAfter,
  delegationBy,
  delegationsIn,
  isSameTarget,
} from './delegates.js';
import {
  checkHasNotVoted,
  checkIsOpenQuestion,
  checkRoom,
  isDoing,
  type Attended,
  type Deed,
  type Doing,
} from './verb.js';

export interface Delegating extends Doing, DelegationTarget {
  readonly reason: string;
  readonly warnings?: readonly string[];
}

export function isDelegating(message: unknown): message is Delegating {
  if (!isObject(message) || !isDoing(message)) return false;
  const { to, to_group, reason, warnings = [] } = message as Partial<Delegating>;
  const target = to ?? to_group;
  const isOne = (to === undefined) !== (to_group === undefined);
  const isNamed = isOne && typeof target === 'string' && target !== '';
  return isNamed && typeof reason === 'string' && isNames(warnings);
}

/**
 * Judges a delegation of a question that one answer settles and nobody else has claimed. The delegate may answer from
 * now on and gets the claim; of a group each member may answer, and nobody gets it. It replaces the maker's last
 * delegation. A repetition changes nothing. Refuses `forbidden`, `suspension_settled`, `reason_mismatch`,
 * `not_eligible`, `already_voted`, `delegation_not_allowed`, `claimed_by_other` and `too_many_changes`.
 *
 * @param now - ms
 */
export function judgeDelegation(
  attended: Attended,
  delegating: Delegating,
  now: number,
): Ruling<Deed> {
  const { state, timeline } = attended;
  const { by, to, to_group, reason, warnings } = delegating;
  const allowed = checkPassesOn(attended, delegating);
  if (!allowed.ok) return allowed;
  const held = claimAt(state, now);
  const before = delegationsIn(timeline);
  const isGiven = to === undefined ? held?.holder !== by.principal : held?.holder === to;
  if (isGiven && before.some((one) => isRepeated(one, delegating))) return ok({ state });
  const isBack = held !== undefined && cameWith(delegationBy(timeline, by.principal), held);
  const may = checkInOrder(
    () => (isBack ? ok(true) : checkFree(state, by.principal, now)),
    () => checkTaker(state.record, attended.askers, by.principal, to),
    () => (before.length < LIMITS.delegations ? ok(true) : tooMany()),
  );
  if (!may.ok) return may;
  const claim = to === undefined ? undefined : claimOf(to, now);
  const detail = {
    delegated_by: by.principal,
    ...defined({ to, to_group }),
    reason,
    ...(claim && { expires_at: claim.expires_at }),
    ...(warnings && { warnings }),
    ...membershipOf(state, by, attended.askers),
  };
  const room = checkRoom(timeline, detail);
  if (!room.ok) return room;
  const { claim: _ended, delegates: _names, delegate_groups: _groups, ...rest } = state;
  const delegates = delegatesAfter(timeline, ['delegated', detail]);
  return ok({
    state: { ...rest, ...delegates, ...defined({ claim }) },
    entry: ['delegated', detail],
  });
}

function isRepeated(one: Delegation, { by, reason, ...target }: Delegating): boolean {
  const isOwn = one.in_force && one.by === by.principal;
  return isOwn && isSameTarget(one, target) && one.reason === reason;
}

function claimOf(holder: string, now: number): Claim {
  const claimed_at = toInstant(now);
  return { holder, claimed_at, expires_at: plusSeconds(claimed_at, LIMITS.claimSeconds) };
}

/** Whether somebody holds a claim because of a delegation: as the person it names, or as a member of its group. */
function cameWith(passed: DelegationTarget | undefined, held: Claim): boolean {
  if (passed === undefined) return false;
  const { holder, as_member_of: groups = [] } = held;
  return passed.to === holder || groups.some((group) => group === passed.to_group);
}

function checkPassesOn(
  { state, askers }: Attended,
  { by, separation_of_duties }: Doing,
): Ruling<true> {
  const voter = { by, responded_by: by.principal };
  const rule = currentRule(state, voter, askers);
  const may = checkInOrder(
    () => authorize(by, 'delegateSuspension', {}),
    () => checkIsOpenQuestion(state),
    () => checkVoter(rule, voter, separation_of_duties === true ? askers : []),
    () => checkHasNotVoted(state, by.principal),
  );
  return may.ok ? checkIsDelegable(state.record, rule) : may;
}

/**
 * Refuses `delegation_not_allowed` for a question that several people decide, and for an approval: one decider could
 * choose another, so one person could have two votes.
 */
export function checkIsDelegable(
  { approval }: Pick<SuspensionRecord, 'approval'>,
  { quorum }: DecisionRule,
): Ruling<true> {
  if (approval === undefined && quorum === 1) return ok(true);
  return refuse('delegation_not_allowed', 'Those who decide on this are set by its rule alone.', {
    accepted:
      'a question that one answer settles, and no approval; an admin changes who is eligible for others',
  });
}

/**
 * Judges whether the delegate can answer, as far as the question shows. Refuses `not_eligible`.
 *
 * @param by - the principal that delegates
 * @param to - undefined for a group, whose members are judged when they answer
 */
export function checkTaker(
  record: Pick<SuspensionRecord, 'decision_rule' | 'denials'>,
  askers: readonly string[],
  by: string,
  to: string | undefined,
): Ruling<true> {
  if (to === undefined) return ok(true);
  const { excluded } = ruleOf(record);
  if (to === by) return notTo('The question cannot be delegated to who delegates it.');
  if (!askers.includes(to) && !excluded.includes(to)) return ok(true);
  return notTo('To whom the question is delegated asked the question, or is excluded.');
}

function notTo(detail: string): Ruling<never> {
  return refuse('not_eligible', detail, {
    field: 'to',
    accepted: 'somebody else, who is neither who asked nor excluded',
  });
}

function tooMany(): Ruling<never> {
  return refuse('too_many_changes', 'The question was delegated too often.', {
    accepted: `at most ${LIMITS.delegations} delegations of one question`,
  });
}
