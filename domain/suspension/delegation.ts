import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import type { Claim } from '../../contracts/suspension-verbs.js';
import { isNames, isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { plusSeconds, toInstant } from '../kernel/time.js';
import { authorize } from '../policy/authorize.js';
import { checkFree, claimAt } from './claim.js';
import { checkVoter, ruleOf } from './decision.js';
import { currentRule, delegateOf, delegatesAfter, delegationsIn } from './delegates.js';
import { checkHasNotVoted, checkIsOpenQuestion, checkRoom, isDoing } from './verb.js';
import type { Attended, Deed, Doing } from './verb.js';

/** Passes an open question on to somebody. */
export interface Delegating extends Doing {
  /** A principal. */
  readonly to: string;
  readonly reason: string;
  /** What the sender is told of this name. */
  readonly warnings?: readonly string[];
}

/** Whether a message passes a question on. */
export function isDelegating(message: unknown): message is Delegating {
  if (!isObject(message) || !isDoing(message)) return false;
  const { to, reason, warnings = [] } = message as Partial<Delegating>;
  return typeof to === 'string' && to !== '' && typeof reason === 'string' && isNames(warnings);
}

/**
 * Judges a delegation, after everything due was settled: by somebody who may answer, of a question that one answer settles
 * and nobody else has claimed. Whom it names may answer from now on, at every attempt, and has the claim; an admin who
 * changes who is eligible ends that. Who asked, and who is excluded, never becomes eligible, and nobody passes a question on
 * to itself. It takes the place of what the same person passed on before: the name may have been a wrong one, so this is also
 * done while that one holds the claim. The same once more, while it holds, changes nothing. Refuses `forbidden`,
 * `suspension_settled`, `reason_mismatch`, `not_eligible`, `already_voted`, `delegation_not_allowed`, `claimed_by_other` and
 * `too_many_changes`.
 *
 * @param now - ms
 */
export function judgeDelegation(
  attended: Attended,
  delegating: Delegating,
  now: number,
): Ruling<Deed> {
  const { state, timeline } = attended;
  const { by, to, reason, warnings } = delegating;
  const allowed = checkPassesOn(attended, delegating);
  if (!allowed.ok) return allowed;
  const held = claimAt(state, now);
  const before = delegationsIn(timeline);
  const isSame = before.some(
    (one) => one.in_force && one.by === by.principal && one.to === to && one.reason === reason,
  );
  if (held?.holder === to && isSame) return ok({ state });
  const isBack = held !== undefined && delegateOf(timeline, by.principal) === held.holder;
  const free = isBack ? ok(true) : checkFree(state, by.principal, now);
  if (!free.ok) return free;
  const taker = checkTaker(attended, delegating);
  if (!taker.ok) return taker;
  const at = toInstant(now);
  const expires_at = plusSeconds(at, LIMITS.claimSeconds);
  const told = warnings ? { warnings } : {};
  const detail = { delegated_by: by.principal, to, reason, expires_at, ...told };
  if (before.length >= LIMITS.delegations) return tooMany();
  const room = checkRoom(timeline, detail);
  if (!room.ok) return room;
  const claim: Claim = { holder: to, claimed_at: at, expires_at };
  const { delegates: _before, ...rest } = state;
  const delegates = delegatesAfter(timeline, ['delegated', detail]);
  return ok({ state: { ...rest, ...delegates, claim }, entry: ['delegated', detail] });
}

function checkPassesOn(
  { state, askers }: Attended,
  { by, separation_of_duties }: Doing,
): Ruling<true> {
  const allowed = authorize(by, 'delegateSuspension', {});
  if (!allowed.ok) return allowed;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  const voter = { by, responded_by: by.principal };
  const rule = currentRule(state);
  const eligible = checkVoter(rule, voter, separation_of_duties === true ? askers : []);
  if (!eligible.ok) return eligible;
  const isNew = checkHasNotVoted(state, by.principal);
  if (!isNew.ok) return isNew;
  return state.record.approval === undefined && rule.quorum === 1 ? ok(true) : notAllowed();
}

/** Whom somebody chose who decides would be one more who decides, and one person could be two of them. */
function notAllowed(): Ruling<never> {
  return refuse('delegation_not_allowed', 'Those who decide on this are set by its rule alone.', {
    accepted:
      'a question that one answer settles, and no approval; an admin changes who is eligible for others',
  });
}

/** Whether somebody else can answer once the question is passed on to it, as far as the question knows. */
function checkTaker({ state, askers }: Attended, { by, to }: Delegating): Ruling<true> {
  const { excluded } = ruleOf(state.record);
  if (to === by.principal) return notTo('The question cannot be delegated to who delegates it.');
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
