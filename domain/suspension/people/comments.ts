import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Comment } from '../../../contracts/suspension/verbs.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { jsonBytes, textIn } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkVoter } from '../answering/decision.js';
import { currentRule } from './delegates.js';
import { checkMay } from './rights.js';
import {
  checkIsOpenQuestion,
  checkRoom,
  isDoing,
  type Attended,
  type Deed,
  type Doing,
} from './verb.js';

export interface Commenting extends Doing {
  readonly text: string;
}

export function isCommenting(message: unknown): message is Commenting {
  return isObject(message) && isText(message['text']) && isDoing(message);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/**
 * Judges a comment by the asker or somebody who may answer, after everything due was settled. Repeating one's newest
 * comment changes nothing, because the first reply may be lost. Refuses `forbidden`, `suspension_settled`,
 * `reason_mismatch`, `not_eligible` and `too_many_comments`.
 */
export function judgeComment(
  { state, timeline, asker, askers }: Attended,
  { by, actor, text }: Commenting,
): Ruling<Deed> {
  const allowed = checkMay(by, 'commentOnSuspension', { asked_by: asker, record: state.record });
  if (!allowed.ok) return allowed;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  const person = { by, responded_by: by.principal };
  const rule = currentRule(state, person, askers);
  const voter = by.principal === asker ? ok(true) : checkVoter(rule, person);
  if (!voter.ok) return voter;
  const comments = commentsIn(timeline);
  const newest = comments.findLast(({ principal }) => principal === by.principal);
  if (newest?.text === text) return ok({ state });
  const detail = { commented_by: by.principal, actor, text };
  const fits = comments.length < LIMITS.comments && hasRoom(timeline, detail);
  return fits ? ok({ state, entry: ['commented', detail] }) : tooMany();
}

/** Comments leave room for other actions. */
function hasRoom(timeline: readonly TimelineEntry[], detail: JsonObject): boolean {
  const before = timeline.filter(({ kind }) => kind === 'commented');
  const isWithin = jsonBytes(before) + jsonBytes(detail) <= LIMITS.commentsBytes;
  return isWithin && checkRoom(timeline, detail).ok;
}

function tooMany(): Ruling<never> {
  return refuse('too_many_comments', 'The question has no room for this comment.', {
    accepted:
      `a shorter comment, or one elsewhere: at most ${LIMITS.comments}, with ` +
      `${LIMITS.commentsBytes} bytes of JSON together. The question can still be answered`,
  });
}

/** Returns the comments in a timeline, oldest first, without those that were erased. */
export function commentsIn(timeline: readonly TimelineEntry[]): readonly Comment[] {
  return timeline.flatMap((entry) => {
    const [principal, text] = [textIn(entry.detail, 'commented_by'), textIn(entry.detail, 'text')];
    if (entry.kind !== 'commented' || principal === undefined || text === undefined) return [];
    return [{ principal, actor: textIn(entry.detail, 'actor') ?? principal, text, at: entry.at }];
  });
}

export function commentCount(timeline: readonly TimelineEntry[]): number {
  return timeline.filter(({ kind }) => kind === 'commented').length;
}
