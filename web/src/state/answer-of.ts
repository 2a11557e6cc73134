import { defined } from '../../../contracts/constants/defined.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { Answer, Question } from '../api/types.js';
import type { Draft } from './draft.js';
import { editsIn, isUnread } from './edits.js';
import { canSend, saidBy } from './filled.js';

/** Marks an answer as given on this page, so that others see where it came from. */
export const VIA = 'inbox';

/** Returns a draft as an answer; undefined as long as the page can see that something is missing. */
export function answerOf(question: Question, draft: Draft): Answer | undefined {
  const { record, question_version } = question;
  const { note = '' } = draft;
  const said = saidBy(record, draft);
  if (said === undefined) return undefined;
  const edits = said.value === 'approved' ? editsIn(question, draft) : [];
  if (edits === undefined) return undefined;
  return {
    ...said,
    question_version,
    ...defined({
      proposal_hash: record.approval?.proposal_hash,
      edits: edits.length > 0 ? edits : undefined,
      comment: isBlank(note) ? undefined : note,
    }),
    metadata: { via: VIA },
  };
}

/** Whether Send can be pressed, which marks what is missing in a form. */
export function canSendDraft(question: Question, draft: Draft): boolean {
  const { record } = question;
  if (!canSend(record, draft)) return false;
  return draft.value !== 'approved' || !isUnread(question, draft);
}
