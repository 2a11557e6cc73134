import { visibleLine } from '../../../contracts/constants/visible-text.js';
import type { Notice } from '../../../contracts/channel/notification.js';
import { cutUnits } from '../../kernel/shown-text.js';

export interface NoticedQuestion {
  readonly id: string;
  readonly question: string;
  readonly asked_by: string;
  readonly attempt: number;
  readonly max_attempts: number;
}

/** How much a notification has room for, in UTF-16 units. */
const TITLE_UNITS = 160;
const BODY_UNITS = 100;
/** More questions than this become one notice with their number. */
const MOST_NOTICES = 3;

/**
 * Returns the notices for new and repeated questions: the text of each, or their number if they are many. They
 * contain no context, and the id only in the address. Pure.
 *
 * @param showsWords - whether everybody who sees the screen may read the text
 */
export function noticesOf(
  questions: readonly NoticedQuestion[],
  showsWords: boolean,
): readonly Notice[] {
  if (questions.length > MOST_NOTICES) return [noticeOfMany(questions.length)];
  return questions.map((question) => noticeOf(question, showsWords));
}

function noticeOf(
  { id, question, asked_by, attempt, max_attempts }: NoticedQuestion,
  showsWords: boolean,
): Notice {
  const at = { tag: `${id}:${attempt}`, path: `/inbox/q/${id}` };
  if (!showsWords) {
    const title = attempt === 1 ? 'A question waits for you' : 'A question still waits for you';
    return { title, body: 'Open it in the inbox.', ...at };
  }
  const title = visibleLine(wordQuestion(question, attempt, max_attempts));
  return {
    title: cutUnits(title, TITLE_UNITS),
    body: cutUnits(`Asked by ${visibleLine(asked_by)}`, BODY_UNITS),
    ...at,
  };
}

function noticeOfMany(count: number): Notice {
  return {
    title: `${count} questions wait for you`,
    body: 'Open the inbox.',
    tag: 'inbox',
    path: '/inbox',
  };
}

/** Returns the text of an attempt (R26-63): the first asks, later ones remind, the last of several is urgent. */
export function wordQuestion(question: string, attempt: number, maxAttempts: number): string {
  if (attempt === 1) return `Input needed: ${question}`;
  if (attempt < maxAttempts) return `Reminder (${attempt}): ${question}`;
  return `URGENT — final reminder: ${question}`;
}
