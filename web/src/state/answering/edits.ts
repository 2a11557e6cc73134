import type { ApprovalPart, ProposedCall } from '../../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../../contracts/kernel/primitives.js';
import type { Answer, Question } from '../../api/types.js';
import { refusalIn } from '../../api/http.js';
import { canShow, faultsOf, formOf } from '../../form/judged.js';
import { argumentsIn, type Fault } from '../../form/read.js';
import type { Draft, EditForm } from './draft.js';
import { defined } from '../../../../contracts/constants/defined.js';
import { isBlank } from '../../../../contracts/constants/visible-text.js';
import { canSend, saidBy } from './form-state.js';

type Edits = NonNullable<Answer['edits']>;

export function schemaOf(
  { input_schemas = {} }: Pick<ApprovalPart, 'input_schemas'>,
  { tool }: ProposedCall,
): JsonObject | undefined {
  return Object.hasOwn(input_schemas, tool) ? input_schemas[tool] : undefined;
}

/** Returns how an edit begins: a form for each call whose schema has a place for all of its arguments. The others are edited as JSON. */
export function newForms(approval: ApprovalPart): Readonly<Record<string, EditForm>> {
  const shown = approval.proposal.calls.filter((call) => {
    const schema = schemaOf(approval, call);
    return schema !== undefined && canShow(schema, call.arguments);
  });
  return Object.fromEntries(shown.map(({ id }) => [id, {}]));
}

/** Reads the form of a call; undefined if its arguments are edited as JSON. */
export function editFormOf(approval: ApprovalPart, call: ProposedCall, { editForms }: Draft) {
  const form = editForms?.[call.id];
  const schema = schemaOf(approval, call);
  if (form === undefined || schema === undefined) return undefined;
  const given = form.base ?? call.arguments;
  return { schema, given, form: formOf(schema, form.entered, given) };
}

/** Returns the calls with changed arguments; undefined while one of them is incomplete. */
function editsIn({ record: { approval } }: Question, draft: Draft): Edits | undefined {
  const changed: Edits[number][] = [];
  for (const call of approval?.proposal.calls ?? []) {
    const { id, arguments: proposed } = call;
    const edited = approval && argumentsOf(approval, call, draft);
    if (edited === undefined) return undefined;
    if (JSON.stringify(edited) !== JSON.stringify(proposed)) {
      changed.push({ call_id: id, arguments: edited });
    }
  }
  return changed;
}

/** Returns the arguments of a call with the edits so far; undefined if they are invalid. */
function argumentsOf(
  approval: ApprovalPart,
  call: ProposedCall,
  draft: Draft,
): JsonObject | undefined {
  const text = draft.edits?.[call.id];
  if (text === undefined) return call.arguments;
  const shown = editFormOf(approval, call, draft);
  if (shown === undefined) return argumentsIn(text).value;
  const isGood = faultsOf(shown.schema, shown.form).length === 0;
  return isGood ? (shown.form.value as JsonObject) : undefined;
}

/** Whether arguments are typed as JSON and still invalid. A form marks its faults itself when it is sent. */
function isUnread({ record: { approval } }: Question, draft: Draft): boolean {
  return (approval?.proposal.calls ?? []).some((call) => {
    const text = draft.edits?.[call.id];
    const isTyped = text !== undefined && draft.editForms?.[call.id] === undefined;
    return isTyped && argumentsIn(text).value === undefined;
  });
}

/** Whether a form of edited arguments has a fault, which it marks when it is sent. */
export function isFaulty(question: Question, draft: Draft): boolean {
  return editsIn(question, draft) === undefined && !isUnread(question, draft);
}

export function editFaultIn(error: unknown, question: Question, draft: Draft) {
  const problem = refusalIn(error);
  const [, index, path = ''] = /^edits\[(\d+)\]\.arguments(.*)$/.exec(problem?.field ?? '') ?? [];
  const edit = index === undefined ? undefined : editsIn(question, draft)?.[Number(index)];
  if (problem === undefined || edit === undefined) return undefined;
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  const fault: Fault = { path: names, detail: problem.detail };
  return { callId: edit.call_id, fault };
}

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
