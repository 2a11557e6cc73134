import type { JsonObject } from '../../../contracts/primitives.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { Answer, Question } from '../api/types.js';
import { argumentsIn } from './arguments.js';
import type { Draft } from './draft.js';
import { canSend, saidBy } from './filled.js';

/** Marks an answer as one from this page, so that others see where it was given. */
export const VIA = 'inbox';

/** A draft as an answer; undefined while something is missing that the page can see. */
export function answerOf(question: Question, draft: Draft): Answer | undefined {
  const { record, question_version } = question;
  const { note } = draft;
  const said = saidBy(record, draft);
  if (said === undefined) return undefined;
  const { value, data } = said;
  const edits = value === 'approved' ? editsIn(question, draft) : [];
  if (edits === undefined) return undefined;
  return {
    value,
    question_version,
    ...(record.approval && { proposal_hash: record.approval.proposal_hash }),
    ...(edits.length > 0 && { edits }),
    ...(note !== undefined && !isBlank(note) && { comment: note }),
    ...(data !== undefined && { data }),
    metadata: { via: VIA },
  };
}

/** Whether Send can be pressed, which marks what is missing in a form. */
export function canSendDraft(question: Question, draft: Draft): boolean {
  const { record } = question;
  if (!canSend(record, draft)) return false;
  return draft.value !== 'approved' || editsIn(question, draft) !== undefined;
}

/** The calls whose arguments were changed; undefined while one of them is no object. */
function editsIn({ record }: Question, { edits = {} }: Draft): Answer['edits'] {
  const changed: { call_id: string; arguments: JsonObject }[] = [];
  for (const { id, arguments: proposed } of record.approval?.proposal.calls ?? []) {
    const text = edits[id];
    if (text === undefined) continue;
    const edited = argumentsIn(text).value;
    if (edited === undefined) return undefined;
    if (JSON.stringify(edited) !== JSON.stringify(proposed)) {
      changed.push({ call_id: id, arguments: edited });
    }
  }
  return changed;
}
