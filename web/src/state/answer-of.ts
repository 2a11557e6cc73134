import type { JsonObject } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import type { Answer, Question } from '../api/types.js';
import { argumentsIn } from './arguments.js';
import type { Draft } from './draft.js';

/** Marks an answer as one from this page, so that others see where it was given. */
export const VIA = 'inbox';

/** A draft as an answer; undefined while something is missing that the page can see. */
export function answerOf(question: Question, draft: Draft): Answer | undefined {
  const { record, question_version } = question;
  const { value, note, data } = draft;
  if (value === undefined || value === '') return undefined;
  const edits = value === 'approved' ? editsIn(question, draft) : [];
  if (edits === undefined) return undefined;
  return {
    value,
    question_version,
    ...(record.approval && { proposal_hash: record.approval.proposal_hash }),
    ...(edits.length > 0 && { edits }),
    ...(note && { comment: note }),
    ...(needsData(record) && { data: data ?? {} }),
    metadata: { via: VIA },
  };
}

/** Whether data have to come with a decision. The schema of a form is for its value. */
export function needsData({
  response_schema,
  response_type,
}: Pick<SuspensionRecord, 'response_schema' | 'response_type'>): boolean {
  return response_schema !== undefined && response_type !== 'form';
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
