import { useRef, useState } from 'react';
import type { ProposedCall } from '../../../../contracts/approval/approval.js';
import type { Question } from '../../api/types.js';
import type { Entered } from '../../form/field.js';
import { canShow, formOf } from '../../form/judged.js';
import { argumentsIn } from '../../form/read.js';
import type { Drafting } from './drafts.js';
import { editFaultIn, editFormOf, newForms, schemaOf } from './edits.js';
import type { Phase } from '../phase.js';
import { pretty } from '../list/visible.js';

export type Editing = ReturnType<typeof useEditing>;

/** Edits the arguments of the calls of a proposal, each in a form or as JSON, and keeps them in the draft. */
export function useEditing(question: Question, { draft, update }: Drafting, phase: Phase) {
  const checks = useRef(new Map<string, () => boolean>());
  const [isNew, setNew] = useState(false);
  const { approval } = question.record;
  const { edits = {}, editForms = {} } = draft;
  const refused = phase.at === 'failed' ? editFaultIn(phase.error, question, draft) : undefined;
  const textOf = ({ id, arguments: proposed }: ProposedCall) => edits[id] ?? pretty(proposed);
  return {
    begin: () => {
      setNew(true);
      const forms = draft.editForms ?? (approval && newForms(approval));
      update({ edits, ...(forms && { editForms: forms }), value: 'approved' });
    },
    /** Whether it began on this page, and the first field takes the focus. */
    isNew,
    textOf,
    type: ({ id }: ProposedCall, text: string) => {
      update({ edits: { ...edits, [id]: text } });
    },
    /** The form of a call; undefined if its arguments are edited as JSON. */
    formOf: (call: ProposedCall) => {
      const shown = approval && editFormOf(approval, call, draft);
      return shown && { ...shown, entered: editForms[call.id]?.entered };
    },
    fill: (call: ProposedCall, entered: Entered | undefined) => {
      const shown = approval && editFormOf(approval, call, draft);
      if (!shown) return;
      const { value = {} } = formOf(shown.schema, entered, shown.given);
      const form = { ...editForms[call.id], entered };
      update({
        edits: { ...edits, [call.id]: pretty(value) },
        editForms: { ...editForms, [call.id]: form },
      });
    },
    toJson: (call: ProposedCall) => {
      const { [call.id]: _, ...others } = editForms;
      update({ edits: { ...edits, [call.id]: textOf(call) }, editForms: others });
    },
    /** Continues an edit in the form; undefined if the form has no place for all of it. */
    toForm: (call: ProposedCall) => {
      const schema = approval && schemaOf(approval, call);
      const base = argumentsIn(textOf(call)).value;
      if (!schema || !base || !canShow(schema, base)) return undefined;
      return () => {
        update({ editForms: { ...editForms, [call.id]: { base } } });
      };
    },
    /** Returns the fault that the API found in a call. */
    faultOf: ({ id }: ProposedCall) => (refused?.callId === id ? refused.fault : undefined),
    onReady: ({ id }: ProposedCall, check: (() => boolean) | undefined) => {
      if (check) checks.current.set(id, check);
      else checks.current.delete(id);
    },
    /** Marks the faults of the forms, up to the first form that has any. Returns whether there are none. */
    isChecked: () =>
      draft.value !== 'approved' ||
      Object.keys(editForms).every((id) => checks.current.get(id)?.() ?? edits[id] === undefined),
  } as const;
}
