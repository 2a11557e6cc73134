import type { Answer, Claim, Question } from '../api/types.js';
import type { Draft } from './draft.js';
import { voteOf } from './facts.js';
import { fateOf, refusalOf } from './sent-answer.js';

/** Who else has claimed a question, and until when. */
export type Holder = Pick<Claim, 'holder' | 'expires_at'>;

/** How far the last press of a button has come, as long as the page lives. */
export type Pressed =
  | { readonly at: 'writing' }
  /** It waits for a second yes: it cannot be undone, or somebody else has claimed the question. */
  | { readonly at: 'asking'; readonly answer: Answer; readonly held?: Holder | undefined }
  | { readonly at: 'sending' }
  | {
      readonly at: 'counted';
      readonly approvals: number;
      readonly required: number;
      readonly question_version: number;
    }
  /** No reply came, or a refusal. The answer may count all the same if `isLost`. */
  | { readonly at: 'failed'; readonly error: unknown; readonly isLost: boolean };

/** How far an answer has come, which outlives the page with its draft. */
export type Phase =
  | Pressed
  /** Whether it counts is not known: the API keeps it, or no reply came and the question does not show it so far. */
  | { readonly at: 'handed_over' | 'unseen'; readonly isChanged: boolean }
  /** A worker has refused what was handed over. */
  | { readonly at: 'refused'; readonly code: string; readonly why: string };

export const WRITING = { at: 'writing' } as const;

/**
 * How far an answer has come, by the last press of a button, what was sent, and what the question shows.
 *
 * @param readAt - when the question came, ms by the clock of this machine
 */
export function phaseOf(
  pressed: Pressed,
  { key, sent }: Draft,
  question: Question,
  readAt: number,
  me: string | undefined,
): Phase {
  if (isNews(pressed, question, me)) return pressed;
  if (!sent || fateOf(sent, question, me) !== 'open') return WRITING;
  const refusal = refusalOf(sent, question, me);
  if (refusal) return { at: 'refused', ...refusal };
  const isChanged = key !== sent.key;
  if (sent.isHandedOver) return { at: 'handed_over', isChanged };
  return pressed.at === 'failed' && readAt <= sent.since ? pressed : { at: 'unseen', isChanged };
}

/** Whether the page knows by the press of a button what neither the draft nor the question says. */
function isNews(pressed: Pressed, question: Question, me: string | undefined): boolean {
  if (pressed.at === 'failed') return !pressed.isLost;
  if (pressed.at === 'counted') return !isShown(pressed.question_version, question, me);
  return pressed.at !== 'writing';
}

/** Whether a question says itself what a reply has said: it shows the vote, or has another version. */
function isShown(version: number, question: Question, me: string | undefined): boolean {
  return question.question_version !== version || voteOf(question, me) !== undefined;
}
