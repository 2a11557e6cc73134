import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { defined } from '../../../contracts/constants/defined.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { Asked, Said } from '../api/types.js';
import type { Entered } from '../form/field.js';
import { formOf, isComplete } from '../form/judged.js';
import { formSchemaOf } from './form-schema.js';

/** What somebody has chosen or typed, and entered into a form. */
export interface Filled {
  readonly value?: JsonValue | undefined;
  readonly form?: Entered | undefined;
}

/** Returns what is filled in as an answer; undefined as long as the page can see that something is missing. */
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

/** Whether nobody would see anything of a text, and it is no choice of the question. */
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

/** Returns the value of a form so far, to keep and to copy. */
export function soFar(asked: Asked, form: Entered | undefined): JsonValue {
  const schema: JsonObject = formSchemaOf(asked) ?? {};
  return formOf(schema, form).value ?? {};
}
