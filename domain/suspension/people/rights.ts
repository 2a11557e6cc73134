import type { Reader } from '../../../contracts/intent/access.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkVoter } from '../answering/decision.js';
import { authorize } from '../../policy/authorize.js';
import type { Related } from '../../policy/authorize.js';

/** The actions on a question, each with its rule in the table. */
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

/** A question as far as it says who is related to it. */
export interface Concerned {
  /** The principal that asked. */
  readonly asked_by: string;
  readonly record: Pick<SuspensionRecord, 'approval' | 'pause'>;
}

/** Returns the principals that the question itself relates to a caller. */
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

/** Whether a caller has asked a question, or may settle it. No access list keeps it from reading this question. */
export function isConcerned(by: Caller, question: Concerned): boolean {
  return question.asked_by === by.principal || checkMay(by, 'resumeSuspension', question).ok;
}

/**
 * Whether a question is open and waits for somebody: a person whom its rule lets answer, and who has not asked it. For the time
 * until a question is first seen only such readers count.
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

/** Judges whether a reader may read what belongs to no intent and is not its own. Refuses `forbidden`. */
export function checkReadsOthers(reader: Reader | undefined): Ruling<true> {
  if (reader?.own !== true) return ok(true);
  return refuse('forbidden', 'This agent reads only its own, and the question is not.', {
    accepted: 'who asked, or who may answer',
  });
}
