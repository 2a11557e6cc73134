import type { UpdateDefinition } from '@temporalio/common';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import {
  isClaiming,
  isReleasing,
  judgeClaim,
  judgeRelease,
} from '../../domain/suspension/people/claim.js';
import { isAmending, judgeAmendment } from '../../domain/suspension/asking/amendment.js';
import { isCommenting, judgeComment } from '../../domain/suspension/people/comments.js';
import { isDelegating, judgeDelegation } from '../../domain/suspension/people/delegation.js';
import { refuse } from '../../domain/kernel/ruling.js';
import type { Attended, Deed, Doing } from '../../domain/suspension/people/verb.js';
import { now } from '../engine/clock.js';
import { demand, onRepeatable, refuseMoving } from '../engine/handlers.js';
import { judgeSpace } from '../engine/space.js';
import {
  amendUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  releaseUpdate,
} from './messages.js';
import type { Question } from './question.js';

const MALFORMED = refuse('invalid_request', 'The message does not say what is to be done.');

/** Registers what people can do to an open question without answering it. */
export function registerVerbs(question: Question): void {
  onVerb(question, claimUpdate, 'Claim the question', isClaiming, judgeClaim);
  onVerb(question, releaseUpdate, 'End a claim or a delegation', isReleasing, judgeRelease);
  onVerb(question, commentUpdate, 'Comment on the question', isCommenting, judgeComment);
  onVerb(question, amendUpdate, 'Correct the question', isAmending, judgeAmendment);
  onVerb(question, delegateUpdate, 'Pass the question on', isDelegating, judgeDelegation);
}

/**
 * Registers one verb. Its validator refuses what the rule refuses, after everything due was settled, and leaves no trace. It
 * replies once the waiting intent has the report, so that a read of the intent's log then shows it.
 */
function onVerb<Input extends Doing>(
  question: Question,
  update: UpdateDefinition<LiveView, [Input]>,
  description: string,
  isWellFormed: (message: unknown) => boolean,
  judge: (attended: Attended, input: Input, now: number) => Ruling<Deed>,
): void {
  const check = (input: Input): void => {
    if (!isWellFormed(input)) demand(MALFORMED);
    demand(judgeSpace(input));
    demand(judge(question.attended, input, now()));
    refuseMoving(question.moving);
  };
  onRepeatable(question.repeats, update, description, judgeSender, check, async (input) => {
    question.take(demand(judge(question.attended, input, now())), input);
    await question.duty.reported(question);
    return question.view;
  });
}

function judgeSender(input: Doing): void {
  demand(judgeSpace(input));
}
