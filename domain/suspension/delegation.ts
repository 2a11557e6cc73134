import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import type { Claim, Delegation } from '../../contracts/suspension-verbs.js';
import type { TimelineEntry } from '../../contracts/suspension.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { plusSeconds, toInstant } from '../kernel/time.js';
import { authorize } from '../policy/authorize.js';
import { checkFree, claimAt } from './claim.js';
import { checkVoter, ruleOf } from './decision.js';
import { currentRule } from './delegates.js';
import { checkIsOpenQuestion, checkRoom, isDoing, textIn } from './verb.js';
import type { Attended, Deed, Doing } from './verb.js';

/** Passes an open question on to somebody. */
export interface Delegating extends Doing {
  /** A principal. */
  readonly to: string;
  readonly reason: string;
}

/** Whether a message passes a question on. */
export function isDelegating(message: unknown): message is Delegating {
  if (!isObject(message) || !isDoing(message)) return false;
  const { to, reason } = message as Partial<Delegating>;
  return typeof to === 'string' && to !== '' && typeof reason === 'string';
}

/**
 * Judges a delegation, after everything due was settled: by somebody who may answer, of a question that nobody else has
 * claimed. Whom it names may answer from now on, at every attempt, and has the claim; an admin who changes who is eligible
 * ends that. Who asked, and who is excluded, never becomes eligible. The last delegation once more, while it holds, changes
 * nothing. Refuses `forbidden`, `suspension_settled`, `reason_mismatch`, `not_eligible`, `claimed_by_other` and
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
  const { by, to, reason } = delegating;
  const allowed = checkPassesOn(attended, delegating);
  if (!allowed.ok) return allowed;
  const before = delegationsIn(timeline);
  const last = before.at(-1);
  const isSame = last?.by === by.principal && last.to === to && last.reason === reason;
  if (isSame && claimAt(state, now)?.holder === to) return ok({ state });
  const free = checkFree(state, by.principal, now);
  if (!free.ok) return free;
  const taker = checkTaker(attended, to);
  if (!taker.ok) return taker;
  const at = toInstant(now);
  const expires_at = plusSeconds(at, LIMITS.claimSeconds);
  const detail = { delegated_by: by.principal, to, reason, expires_at };
  if (before.length >= LIMITS.delegations) return tooMany();
  const room = checkRoom(timeline, detail);
  if (!room.ok) return room;
  const claim: Claim = { holder: to, claimed_at: at, expires_at };
  const delegates = [...new Set([...(state.delegates ?? []), to])];
  return ok({ state: { ...state, claim, delegates }, entry: ['delegated', detail] });
}

function checkPassesOn(
  { state, askers }: Attended,
  { by, separation_of_duties }: Doing,
): Ruling<true> {
  const initiator = state.record.approval?.proposal.on_behalf_of;
  const allowed = authorize(by, 'delegateSuspension', { initiator });
  if (!allowed.ok) return allowed;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  const voter = { by, responded_by: by.principal };
  return checkVoter(currentRule(state), voter, separation_of_duties === true ? askers : []);
}

/** Whether somebody can answer once the question is passed on to it, as far as the question knows. */
function checkTaker({ state, askers }: Attended, to: string): Ruling<true> {
  const { excluded } = ruleOf(state.record);
  const hasVoted = state.votes?.some(({ vote }) => vote.principal === to) === true;
  if (!hasVoted && !askers.includes(to) && !excluded.includes(to)) return ok(true);
  const why = hasVoted ? 'has answered already' : 'asked the question, or is excluded';
  return refuse('not_eligible', `To whom the question is delegated ${why}.`, {
    field: 'to',
    accepted: 'somebody who can still answer, and is neither who asked nor excluded',
  });
}

function tooMany(): Ruling<never> {
  return refuse('too_many_changes', 'The question was delegated too often.', {
    accepted: `at most ${LIMITS.delegations} delegations of one question`,
  });
}

/** The delegations that a timeline tells of, oldest first, but for those that were erased. */
export function delegationsIn(timeline: readonly TimelineEntry[]): readonly Delegation[] {
  return timeline.flatMap((entry) => {
    const [by, to] = [textIn(entry, 'delegated_by'), textIn(entry, 'to')];
    if (entry.kind !== 'delegated' || by === undefined || to === undefined) return [];
    return [{ by, to, reason: textIn(entry, 'reason') ?? '', at: entry.at }];
  });
}
