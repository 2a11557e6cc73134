import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import {
  fieldSchema,
  listedFields,
  type ListedField,
} from '../../../../domain/suspension/form/form-schema.js';
import type { Asked, Said } from '../../api/types.js';
import { useRef, useState } from 'react';
import { defined } from '../../../../contracts/constants/defined.js';
import { isBlank } from '../../../../contracts/constants/visible-text.js';
import type { Entered } from '../../form/field.js';
import { formOf, isComplete } from '../../form/judged.js';
import { refusalIn } from '../../api/http.js';
import type { Fault } from '../../form/read.js';

/**
 * Returns the schema of a question's form; undefined without a form. It is the schema of the question, or made from
 * the fields in the context. Without either, or if a field cannot have an input, the form takes any value as JSON.
 */
export function formSchemaOf({
  response_type,
  response_schema,
  context,
}: Asked): JsonObject | undefined {
  if (response_schema !== undefined) return response_schema;
  return response_type === 'form' ? schemaOfFields(context?.['fields']) : undefined;
}

const ANYTHING: JsonObject = {};
/** The schema of a list is made once, because forms are identified by their schema. */
const made = new WeakMap<object, JsonObject>();

function schemaOfFields(listed: JsonValue | undefined): JsonObject {
  if (typeof listed !== 'object' || listed === null) return ANYTHING;
  const known = made.get(listed);
  if (known) return known;
  const schema = schemaOf(listedFields(listed));
  made.set(listed, schema);
  return schema;
}

function schemaOf(fields: readonly ListedField[] | undefined): JsonObject {
  if (!fields) return ANYTHING;
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}

/** Returns whether the form of a question is shown and complete. Forms are loaded late, and none is sent unseen. */
export function useShownForm(asked: Asked) {
  const check = useRef<() => boolean>(undefined);
  const [isLoaded, setIsLoaded] = useState(false);
  return {
    /** True if the question has no form. */
    isShown: isLoaded || formSchemaOf(asked) === undefined,
    isChecked: () => isChecked(asked, check.current),
    onReady: (next: (() => boolean) | undefined) => {
      check.current = next;
      if (next !== undefined) setIsLoaded(true);
    },
  };
}

/** Whether there is no form, or it is shown and complete. Before it is loaded, nobody has seen its defaults. */
export function isChecked(asked: Asked, check: (() => boolean) | undefined): boolean {
  return formSchemaOf(asked) === undefined || check?.() === true;
}

export interface Filled {
  readonly value?: JsonValue | undefined;
  readonly form?: Entered | undefined;
}

/** Returns the entries as an answer; undefined while the page can see that something is missing. */
export function saidBy(asked: Asked, { value, form }: Filled): Said | undefined {
  const schema = formSchemaOf(asked);
  const inForm = schema && formOf(schema, form);
  if (inForm && inForm.faults.length > 0) return undefined;
  if (asked.response_type === 'form') {
    return inForm?.value === undefined ? undefined : { value: inForm.value };
  }
  if (value === undefined || (typeof value === 'string' && isUnsaid(asked, value)))
    return undefined;
  return defined({ value, data: schema && (inForm?.value ?? {}) });
}

/** Whether a text is invisible, and no choice of the question. */
function isUnsaid({ choices = [] }: Asked, text: string): boolean {
  return text === '' || (isBlank(text) && !choices.some((choice) => choice.value === text));
}

/** Whether Send can be pressed. In a form that somebody has begun, Send also shows what is missing. */
export function canSend(asked: Asked, filled: Filled): boolean {
  const schema = formSchemaOf(asked);
  if (asked.response_type !== 'form') {
    const { value } = filled;
    return value !== undefined && !(typeof value === 'string' && isUnsaid(asked, value));
  }
  if (schema === undefined) return false;
  return filled.form !== undefined || isComplete(schema, formOf(schema, undefined));
}

/** Returns the present value of a form, to keep and to copy. */
export function soFar(asked: Asked, form: Entered | undefined): JsonValue {
  const schema: JsonObject = formSchemaOf(asked) ?? {};
  return formOf(schema, form).value ?? {};
}

/** Returns the part of a form that the API refused: a part of the value, or of the data that belong to a decision. */
export function faultIn(error: unknown): Fault | undefined {
  const problem = refusalIn(error);
  if (problem?.code !== 'invalid_value') return undefined;
  const names = (problem.field ?? '').split(/[.[\]]+/).filter((name) => name !== '');
  const from = names[0] === 'value' ? 1 : names.indexOf('data') + 1;
  return { path: names.slice(from), detail: problem.detail };
}
