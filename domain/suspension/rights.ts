import type { Reader } from '../../contracts/access.js';
import type { Caller } from '../../contracts/caller.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { authorize } from '../policy/authorize.js';
import type { Related } from '../policy/authorize.js';

/** What is done to a question, each by its rule in the table. */
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

/** The principals that a question is related to by what it says itself. */
function relatedTo({ asked_by: asker, record: { approval, pause } }: Concerned): Related {
  return { asker, initiator: approval?.proposal.on_behalf_of, named: pause?.resumable_by };
}

/**
 * Judges whether a caller may do something to a question at all, open or settled. Who releases a claim has to be somebody
 * who may claim: a settled question does not say who held it. Refuses `forbidden`.
 */
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

/** Judges whether a reader may read what belongs to no intent and is not its own. Refuses `forbidden`. */
export function checkReadsOthers(reader: Reader | undefined): Ruling<true> {
  if (reader?.own !== true) return ok(true);
  return refuse('forbidden', 'This agent reads only its own, and the question is not.', {
    accepted: 'who asked, or who may answer',
  });
}
