import type { UpdateDefinition } from '@temporalio/common';
import type { Ruling } from '../../contracts/problem.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import {
  isClaiming,
  isReleasing,
  judgeClaim,
  judgeRelease,
} from '../../domain/suspension/claim.js';
import { isAmending, judgeAmendment } from '../../domain/suspension/amendment.js';
import { isCommenting, judgeComment } from '../../domain/suspension/comments.js';
import { isDelegating, judgeDelegation } from '../../domain/suspension/delegation.js';
import { refuse } from '../../domain/kernel/ruling.js';
import type { Attended, Deed, Doing } from '../../domain/suspension/verb.js';
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

/** Takes in what people do to an open question without answering it. */
export function registerVerbs(question: Question): void {
  onVerb(question, claimUpdate, 'Claim the question', isClaiming, judgeClaim);
  onVerb(question, releaseUpdate, 'End a claim or a delegation', isReleasing, judgeRelease);
  onVerb(question, commentUpdate, 'Comment on the question', isCommenting, judgeComment);
  onVerb(question, amendUpdate, 'Correct the question', isAmending, judgeAmendment);
  onVerb(question, delegateUpdate, 'Pass the question on', isDelegating, judgeDelegation);
}

/**
 * One verb: its validator refuses what the rule refuses, after everything due was settled, and leaves no trace. It is
 * done once the intent that waits has heard of it, so that a read of its log after the reply shows it.
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
    await question.reported();
    return question.view;
  });
}

function judgeSender(input: Doing): void {
  demand(judgeSpace(input));
}
