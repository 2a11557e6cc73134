import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import type { Claim } from '../../contracts/suspension-verbs.js';
import { ok, refuse } from '../kernel/ruling.js';
import { plusSeconds, toInstant, toMillis } from '../kernel/time.js';
import { authorize } from '../policy/authorize.js';
import { checkVoter } from './decision.js';
import { currentRule, delegateOf, delegatesAfter } from './delegates.js';
import { checkMay } from './rights.js';
import type { SuspensionState } from './state.js';
import {
  checkHasNotVoted,
  checkIsOpenQuestion,
  checkIsVersion,
  checkRoom,
  isDoing,
} from './verb.js';
import type { Attended, Deed, Doing } from './verb.js';

/** The claim that holds at an instant (ms), if one does. It needs no timer: it is over once its end has come. */
export function claimAt({ claim }: Pick<SuspensionState, 'claim'>, at: number): Claim | undefined {
  if (claim === undefined) return undefined;
  return toMillis(claim.claimed_at) <= at && at < toMillis(claim.expires_at) ? claim : undefined;
}

/** A question as it is read at an instant (ms): a claim that is over is none. */
export function readAt<V extends { readonly claim?: Claim | null }>(
  view: V,
  at: number,
): V & { readonly claim: Claim | null } {
  return { ...view, claim: claimAt({ ...(view.claim && { claim: view.claim }) }, at) ?? null };
}

/** A claim of a question, as its sender has seen it. */
export interface Claiming extends Doing {
  /** If the question has another version by now, the claim is refused. */
  readonly question_version?: number | undefined;
}

/** Whether a message is a claim. */
export function isClaiming(message: unknown): message is Claiming {
  if (!isDoing(message)) return false;
  const { question_version: version } = message as Partial<Claiming>;
  return version === undefined || Number.isInteger(version);
}

/**
 * Judges a claim, after everything due was settled: of somebody who could answer, and has not. Who holds the claim renews
 * it, of which nobody hears. Refuses `forbidden`, `suspension_settled`, `reason_mismatch`, `question_version_mismatch`,
 * `not_eligible`, `already_voted`, `claimed_by_other` and `too_many_changes`.
 *
 * @param now - ms
 */
export function judgeClaim(
  { state, timeline, asker, askers }: Attended,
  { by, separation_of_duties, question_version }: Claiming,
  now: number,
): Ruling<Deed> {
  const allowed = checkMay(by, 'claimSuspension', { asked_by: asker, record: state.record });
  if (!allowed.ok) return allowed;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  const version = checkIsVersion(state.record, question_version);
  if (!version.ok) return version;
  const voter = { by, responded_by: by.principal };
  const eligible = checkVoter(
    currentRule(state),
    voter,
    separation_of_duties === true ? askers : [],
  );
  if (!eligible.ok) return eligible;
  const isNew = checkHasNotVoted(state, by.principal);
  if (!isNew.ok) return isNew;
  const free = checkFree(state, by.principal, now);
  if (!free.ok) return free;
  const held = claimAt(state, now);
  const claim: Claim = {
    holder: by.principal,
    claimed_at: held?.claimed_at ?? toInstant(now),
    expires_at: plusSeconds(toInstant(now), LIMITS.claimSeconds),
  };
  const claimed = { ...state, claim };
  if (held !== undefined) return ok({ state: claimed });
  const detail = { claimed_by: claim.holder, expires_at: claim.expires_at };
  const room = checkRoom(timeline, detail);
  return room.ok ? ok({ state: claimed, entry: ['claimed', detail] }) : room;
}

/** Refuses `claimed_by_other` while somebody else than a principal has claimed the question. */
export function checkFree(
  state: Pick<SuspensionState, 'claim'>,
  principal: string,
  now: number,
): Ruling<true> {
  const held = claimAt(state, now);
  return held === undefined || held.holder === principal ? ok(true) : claimedByOther(held);
}

/** What a release is to end: a claim, a delegation, or without a word whichever comes first. */
export interface Releasing extends Doing {
  readonly what?: 'claim' | 'delegation' | undefined;
}

/** Whether a message is a release. */
export function isReleasing(message: unknown): message is Releasing {
  if (!isDoing(message)) return false;
  const { what } = message as Doing & { readonly what?: unknown };
  return what === undefined || what === 'claim' || what === 'delegation';
}

/** Why there is nothing to end. */
const NOTHING = {
  claim: 'Nobody has claimed the question.',
  delegation: 'You have passed the question on to nobody.',
  either: 'Nobody has claimed the question, and you have passed it on to nobody.',
} as const;

/**
 * Judges the end of a claim by its holder or an admin, or of a delegation by who made it: whom it named may then answer only
 * if the rule says so, and has no claim. Refuses `forbidden`, `suspension_settled`, `reason_mismatch` and `not_claimed`.
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
  const passedTo = what === 'claim' ? undefined : delegateOf(timeline, principal);
  const isOwn = held?.holder === principal;
  const claimer = passedTo !== undefined && !isOwn ? principal : held?.holder;
  if (claimer === undefined) return refuse('not_claimed', NOTHING[what ?? 'either']);
  const allowed = authorize(by, 'releaseSuspension', { claimer });
  if (!allowed.ok) return allowed;
  if (passedTo !== undefined && !isOwn) return takeBack({ state, timeline }, principal, passedTo);
  const detail = { released_by: principal, holder: claimer };
  return ok({ state: unclaimed(state), entry: ['released', detail] });
}

/** Whoever passed a question on may take it back also when the claim that came with it is over. */
function takeBack(
  { state, timeline }: Pick<Attended, 'state' | 'timeline'>,
  principal: string,
  passedTo: string,
): Ruling<Deed> {
  const detail = { released_by: principal, holder: passedTo, taken_back: true };
  const { delegates: before = [], ...rest } = state;
  const left = delegatesAfter(timeline, ['released', detail]);
  const taken = before.filter((name) => !left.delegates?.includes(name));
  const isDropped = state.claim !== undefined && taken.includes(state.claim.holder);
  const kept = isDropped ? unclaimed(rest) : rest;
  return ok({ state: { ...kept, ...left }, entry: ['released', detail] });
}

/** The same question without a claim; with a principal, only if that one holds it. */
export function unclaimed(state: SuspensionState, principal?: string): SuspensionState {
  const { claim, ...rest } = state;
  return principal === undefined || claim?.holder === principal ? rest : state;
}

/** An answer, as far as claims are concerned. */
interface Answering {
  readonly by: { readonly principal: string };
  readonly responded_by: string;
  readonly despite_claim?: boolean;
}

/** The claim of somebody else that holds when an answer comes in, if one does. */
export function claimOfOther(
  state: Pick<SuspensionState, 'claim'>,
  { by, responded_by }: Omit<Answering, 'despite_claim'>,
  at: number,
): Claim | undefined {
  const held = claimAt(state, at);
  return held && ![by.principal, responded_by].includes(held.holder) ? held : undefined;
}

/** Refuses an answer with `claimed_by_other` that does not say that it is meant all the same. */
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
