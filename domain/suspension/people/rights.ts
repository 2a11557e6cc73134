import type { Reader } from '../../../contracts/intent/access.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkVoter } from '../answering/decision.js';
import { authorize, type Related } from '../../policy/authorize.js';

export type QuestionAction =
  | 'amendSuspension'
  | 'cancelSuspension'
  | 'changeEligibility'
  | 'claimSuspension'
  | 'commentOnSuspension'
  | 'delegateSuspension'
  | 'releaseSuspension'
  | 'respond'
  | 'resumeSuspension';

/** The parts of a question that relate people to it. */
export interface Concerned {
  readonly asked_by: string;
  readonly record: Pick<SuspensionRecord, 'approval' | 'pause'>;
}

/** Returns the principals that are related to a caller's rights by the question itself. */
function relatedTo({ asked_by: asker, record: { approval, pause } }: Concerned): Related {
  return { asker, initiator: approval?.proposal.on_behalf_of, named: pause?.resumable_by };
}

/** Judges whether a caller may do something to a question at all, open or settled. Refuses `forbidden`. */
export function checkMay(by: Caller, action: QuestionAction, question: Concerned): Ruling<true> {
  const related = relatedTo(question);
  if (action === 'releaseSuspension') return authorize(by, 'claimSuspension', related);
  const isAnswer = action === 'resumeSuspension' && question.record.pause === undefined;
  if (isAnswer) return authorize(by, action, { ...related, when: 'ofQuestion' });
  return authorize(by, action, related);
}

/** Whether a caller has asked a question, or may settle it. Access lists never prevent it from reading this question. */
export function isConcerned(by: Caller, question: Concerned): boolean {
  return question.asked_by === by.principal || checkMay(by, 'resumeSuspension', question).ok;
}

/**
 * Whether a question is open and waits for somebody: a person who may answer by its rule, and has not asked it. Only
 * such readers count for the time until a question is first seen.
 */
export function waitsFor(
  by: Caller,
  question: Concerned & Pick<SuspensionView, 'state' | 'rule'>,
): boolean {
  const { state, rule, record, asked_by } = question;
  if (state !== 'pending' || record.pause !== undefined || asked_by === by.principal) return false;
  if (!checkMay(by, 'respond', question).ok) return false;
  return checkVoter(rule, { by, responded_by: by.principal }).ok;
}

/** Judges whether a reader may read what belongs to no intent and to somebody else. Refuses `forbidden`. */
export function checkReadsOthers(reader: Reader | undefined): Ruling<true> {
  if (reader?.own !== true) return ok(true);
  return refuse('forbidden', 'This agent reads only its own, and the question is not.', {
    accepted: 'who asked, or who may answer',
  });
}
