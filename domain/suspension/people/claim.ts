import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Claim, DelegationTarget } from '../../../contracts/suspension/verbs.js';
import { checkInOrder, ok, refuse } from '../../kernel/ruling.js';
import { plusSeconds, toInstant, toMillis } from '../../kernel/time.js';
import { authorize } from '../../policy/authorize.js';
import { checkVoter } from '../answering/decision.js';
import {
  currentRule,
  delegatesAfter,
  delegationBy,
  groupsLettingIn,
  withNewDelegates,
} from './delegates.js';
import { checkMay } from './rights.js';
import type { SuspensionState } from '../record/state.js';
import {
  checkHasNotVoted,
  checkIsOpenQuestion,
  checkIsVersion,
  checkRoom,
  isDoing,
  type Attended,
  type Deed,
  type Doing,
} from './verb.js';

/** The claim in force at an instant (ms), if any. It needs no timer: its end is compared with the instant. */
export function claimAt({ claim }: Pick<SuspensionState, 'claim'>, at: number): Claim | undefined {
  if (claim === undefined) return undefined;
  return toMillis(claim.claimed_at) <= at && at < toMillis(claim.expires_at) ? claim : undefined;
}

/** A question as of an instant (ms), without an expired claim. */
export function readAt<V extends { readonly claim?: Claim | null }>(
  view: V,
  at: number,
): V & { readonly claim: Claim | null } {
  return { ...view, claim: claimAt({ ...(view.claim && { claim: view.claim }) }, at) ?? null };
}

/** A claim of a question, with the version that its sender has seen. */
export interface Claiming extends Doing {
  /** The version that the sender has seen; a different one is refused. */
  readonly question_version?: number | undefined;
}

export function isClaiming(message: unknown): message is Claiming {
  if (!isDoing(message)) return false;
  const { question_version: version } = message as Partial<Claiming>;
  return version === undefined || Number.isInteger(version);
}

/**
 * Judges a claim, after everything due was settled, by somebody who could answer and has not. The holder renews it
 * without an entry. Refuses `forbidden`, `suspension_settled`, `reason_mismatch`, `question_version_mismatch`,
 * `not_eligible`, `already_voted`, `claimed_by_other` and `too_many_changes`.
 *
 * @param now - ms
 */
export function judgeClaim(
  { state, timeline, asker, askers }: Attended,
  { by, separation_of_duties, question_version }: Claiming,
  now: number,
): Ruling<Deed> {
  const { record } = state;
  const voter = { by, responded_by: by.principal };
  const may = checkInOrder(
    () => checkMay(by, 'claimSuspension', { asked_by: asker, record }),
    () => checkIsOpenQuestion(state),
    () => checkIsVersion(record, question_version),
    () =>
      checkVoter(
        currentRule(state, voter, askers),
        voter,
        separation_of_duties === true ? askers : [],
      ),
    () => checkHasNotVoted(state, by.principal),
    () => checkFree(state, by.principal, now),
  );
  if (!may.ok) return may;
  const held = claimAt(state, now);
  const claim: Claim = {
    holder: by.principal,
    claimed_at: held?.claimed_at ?? toInstant(now),
    expires_at: plusSeconds(toInstant(now), LIMITS.claimSeconds),
    ...(held ? defined({ as_member_of: held.as_member_of }) : membershipOf(state, by, askers)),
  };
  const claimed = { ...state, claim };
  if (held !== undefined) return ok({ state: claimed });
  const detail = { claimed_by: claim.holder, expires_at: claim.expires_at };
  const room = checkRoom(timeline, detail);
  return room.ok ? ok({ state: claimed, entry: ['claimed', detail] }) : room;
}

/** The groups through which a delegation lets a caller answer; absent if there are none. */
export function membershipOf(
  state: SuspensionState,
  by: Caller,
  askers: readonly string[],
): Pick<Claim, 'as_member_of'> {
  const groups = askers.includes(by.principal) ? [] : groupsLettingIn(state, by);
  return groups.length > 0 ? { as_member_of: groups } : {};
}

/** Refuses `claimed_by_other` while somebody other than `principal` has claimed the question. */
export function checkFree(
  state: Pick<SuspensionState, 'claim'>,
  principal: string,
  now: number,
): Ruling<true> {
  const held = claimAt(state, now);
  return held === undefined || held.holder === principal ? ok(true) : claimedByOther(held);
}

/** The target of a release: a claim, a delegation, or by default whichever exists, the claim first. */
export interface Releasing extends Doing {
  readonly what?: 'claim' | 'delegation' | undefined;
}

export function isReleasing(message: unknown): message is Releasing {
  if (!isDoing(message)) return false;
  const { what } = message as Doing & { readonly what?: unknown };
  return what === undefined || what === 'claim' || what === 'delegation';
}

const NOTHING = {
  claim: 'Nobody has claimed the question.',
  delegation: 'You have passed the question on to nobody.',
  either: 'Nobody has claimed the question, and you have passed it on to nobody.',
} as const;

/**
 * Judges the end of a claim by its holder or an admin, or of a delegation by its maker; whoever got a claim through
 * the delegation loses it. Refuses `forbidden`, `suspension_settled`, `reason_mismatch` and `not_claimed`.
 *
 * @param now - ms
 */
export function judgeRelease(
  { state, timeline }: Attended,
  { by: { principal }, by, what }: Releasing,
  now: number,
): Ruling<Deed> {
  const able = authorize(by, 'releaseSuspension');
  if (!able.ok) return able;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  const held = what === 'delegation' ? undefined : claimAt(state, now);
  const passedTo = what === 'claim' ? undefined : delegationBy(timeline, principal);
  const isOwn = held?.holder === principal;
  const claimer = passedTo !== undefined && !isOwn ? principal : held?.holder;
  if (claimer === undefined) return refuse('not_claimed', NOTHING[what ?? 'either']);
  const allowed = authorize(by, 'releaseSuspension', { claimer });
  if (!allowed.ok) return allowed;
  if (passedTo !== undefined && !isOwn) return takeBack({ state, timeline }, principal, passedTo);
  const detail = { released_by: principal, holder: claimer };
  return ok({ state: unclaimed(state), entry: ['released', detail] });
}

/** A person may revoke a delegation even after its claim has expired. */
function takeBack(
  { state, timeline }: Pick<Attended, 'state' | 'timeline'>,
  principal: string,
  { to: holder, to_group }: DelegationTarget,
): Ruling<Deed> {
  const detail = { released_by: principal, ...defined({ holder, to_group }), taken_back: true };
  const left = delegatesAfter(timeline, ['released', detail]);
  return ok({ state: withNewDelegates(state, left), entry: ['released', detail] });
}

/** Returns the question without its claim; with a principal, only if that one holds it. */
export function unclaimed(state: SuspensionState, principal?: string): SuspensionState {
  const { claim, ...rest } = state;
  return principal === undefined || claim?.holder === principal ? rest : state;
}

/** The parts of an answer that concern claims. */
interface Answering {
  readonly by: { readonly principal: string };
  readonly responded_by: string;
  readonly despite_claim?: boolean;
}

/** The claim of somebody else that is in force when an answer arrives, if any. */
export function claimOfOther(
  state: Pick<SuspensionState, 'claim'>,
  { by, responded_by }: Omit<Answering, 'despite_claim'>,
  at: number,
): Claim | undefined {
  const held = claimAt(state, at);
  return held && ![by.principal, responded_by].includes(held.holder) ? held : undefined;
}

/** Refuses an answer with `claimed_by_other` unless it confirms that it is meant despite the claim. */
export function checkClaim(
  state: Pick<SuspensionState, 'claim'>,
  answer: Answering,
  at: number,
): Ruling<true> {
  const held = claimOfOther(state, answer, at);
  if (held === undefined || answer.despite_claim === true) return ok(true);
  return claimedByOther(held, { field: 'despite_claim', accepted: 'true, to answer all the same' });
}

function claimedByOther(
  { holder, expires_at }: Claim,
  extra: { readonly field?: string; readonly accepted?: string } = {},
): Ruling<never> {
  const detail = `The question is claimed until ${expires_at} by somebody else.`;
  return refuse('claimed_by_other', detail, { ...extra, state: { holder, expires_at } });
}
