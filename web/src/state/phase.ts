import type { Answer, Question } from '../api/types.js';
import type { Asking } from './answering/acting.js';
import type { Draft } from './answering/draft.js';
import { voteOf } from './facts.js';
import { fateOf, refusalOf } from './answering/sent-answer.js';

/** The state of the last press of a button, as long as the page lives. */
export type Pressed =
  | { readonly at: 'writing' }
  | Asking<Answer>
  /** The answer is held back, and can be undone. `until` is in ms by the clock of this machine. */
  | { readonly at: 'unsent'; readonly answer: Answer; readonly until: number }
  /** Somebody has undone it. The draft is as it was. */
  | { readonly at: 'undone' }
  /** If `wasHeld`, the answer was held back before. */
  | { readonly at: 'sending'; readonly answer: Answer; readonly wasHeld: boolean }
  /** The reply has said that the answer settled the question, which shows it in a moment. */
  | { readonly at: 'sent'; readonly answer: Answer }
  | {
      readonly at: 'counted';
      readonly approvals: number;
      readonly required: number;
      readonly question_version: number;
    }
  /** No reply came, or a refusal. If `isLost`, the answer may still count. */
  | { readonly at: 'failed'; readonly error: unknown; readonly isLost: boolean };

/** The state of an answer. It is kept with the draft, longer than the page lives. */
export type Phase =
  | Pressed
  /** The answer may count or not: the API keeps it, or no reply came and the question does not show it so far. */
  | { readonly at: 'handed_over' | 'unseen'; readonly isChanged: boolean }
  /** A worker has refused the answer after it was handed over. */
  | { readonly at: 'refused'; readonly code: string; readonly why: string };

/** A given answer: it can still be undone, is then being sent, or was accepted. */
export type Given = Extract<Phase, { at: 'unsent' | 'sending' | 'sent' }>;

/** Whether there is such an answer. One that was not held back is sent from its fields. */
export function isGiven(phase: Phase): phase is Given {
  if (phase.at === 'sending') return phase.wasHeld;
  return phase.at === 'unsent' || phase.at === 'sent';
}

/** Whether somebody has answered, and can continue. */
export function isAnswered(phase: Phase): boolean {
  return isGiven(phase) || phase.at === 'counted' || phase.at === 'handed_over';
}

export const WRITING = { at: 'writing' } as const;

/**
 * Returns the state of an answer by the last press of a button, by what was sent, and by what the question shows.
 *
 * @param readAt - when the question was read, in ms by the clock of this machine
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

/** Whether the page knows something from the press that neither the draft nor the question shows. */
function isNews(pressed: Pressed, question: Question, me: string | undefined): boolean {
  if (pressed.at === 'failed') return !pressed.isLost;
  if (pressed.at === 'counted') return !isShown(pressed.question_version, question, me);
  return pressed.at !== 'writing';
}

/** Whether a question shows the result in a reply: it has the vote, or another version. */
function isShown(version: number, question: Question, me: string | undefined): boolean {
  return question.question_version !== version || voteOf(question, me) !== undefined;
}
