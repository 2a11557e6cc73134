import type { ApprovalPart, ProposedCall } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Answer, Question } from '../api/types.js';
import { refusalIn } from '../api/http.js';
import { canShow, faultsOf, formOf } from '../form/judged.js';
import type { Fault } from '../form/read.js';
import { argumentsIn } from '../form/typed.js';
import type { Draft, EditForm } from './draft.js';

type Edits = NonNullable<Answer['edits']>;

/** Returns the schema of the arguments of a call, if its tool has one. */
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

/** Returns the calls with changed arguments; undefined as long as one of them is not written to its end. */
export function editsIn({ record: { approval } }: Question, draft: Draft): Edits | undefined {
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

/** Returns the arguments of a call as they are edited so far; undefined if they are none. */
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

/** Whether arguments are typed as JSON and are none yet. A form marks its faults itself once somebody sends it. */
export function isUnread({ record: { approval } }: Question, draft: Draft): boolean {
  return (approval?.proposal.calls ?? []).some((call) => {
    const text = draft.edits?.[call.id];
    const isTyped = text !== undefined && draft.editForms?.[call.id] === undefined;
    return isTyped && argumentsIn(text).value === undefined;
  });
}

/** Whether a form of edited arguments has a fault, which it marks once somebody sends it. */
export function isFaulty(question: Question, draft: Draft): boolean {
  return editsIn(question, draft) === undefined && !isUnread(question, draft);
}

/** Returns the edited part that the API refused, with the id of its call. */
export function editFaultIn(error: unknown, question: Question, draft: Draft) {
  const problem = refusalIn(error);
  const [, index, path = ''] = /^edits\[(\d+)\]\.arguments(.*)$/.exec(problem?.field ?? '') ?? [];
  const edit = index === undefined ? undefined : editsIn(question, draft)?.[Number(index)];
  if (problem === undefined || edit === undefined) return undefined;
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  const fault: Fault = { path: names, detail: problem.detail };
  return { callId: edit.call_id, fault };
}
