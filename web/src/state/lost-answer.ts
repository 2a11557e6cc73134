import type { Answer, Question } from '../api/types.js';
import { voteOf } from './facts.js';

/** An answer without a reply: whether it arrived is not known. */
export interface LostAnswer {
  readonly sent: Pick<Answer, 'question_version' | 'edits'>;
  /** When it was known that no reply comes, ms by the clock of this machine. */
  readonly since: number;
}

/**
 * What a view tells of a lost answer: `away` if it was read before, `unseen` if it was read since and shows none, and `over` once
 * nothing is left to doubt.
 *
 * That a later view shows no answer proves nothing. It may have been read while the answer was still on its way: the API waits for
 * a worker, and leaves the answer for one that comes later. What ends the doubt does not turn back: the question is over, it shows
 * the answer, or it has another version than the one for which alone the answer could count.
 *
 * @param readAt - when the view came, ms by the same clock
 */
export function fateOf(
  { sent, since }: LostAnswer,
  question: Pick<Question, 'state' | 'question_version' | 'votes'>,
  readAt: number,
  me: string | undefined,
): 'away' | 'unseen' | 'over' {
  if (question.state === 'settled' || question.question_version > sent.question_version) {
    return 'over';
  }
  // An edit makes a new version, so a vote for the version before is another one.
  if (!sent.edits && voteOf(question, me)) return 'over';
  return readAt > since ? 'unseen' : 'away';
}
