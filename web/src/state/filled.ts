import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionChoice, SuspensionRecord } from '../../../contracts/suspension.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { Entered } from '../form/field.js';
import { formOf, isComplete } from '../form/judged.js';
import { formSchemaOf } from './form-schema.js';

/** What of a question says what its answer looks like. */
export type Asked = Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'> & {
  readonly choices?: readonly SuspensionChoice[] | undefined;
};

/** What somebody has chosen or typed, and entered into a form. */
export interface Filled {
  readonly value?: JsonValue | undefined;
  readonly form?: Entered | undefined;
}

/** What an answer says: nothing that nobody has entered, but for the defaults of its schema. */
export interface Said {
  readonly value: JsonValue;
  /** What has to come with a decision whose question has a schema. */
  readonly data?: JsonValue;
}

/** Whether data have to come with a decision. The schema of a form is for its value. */
export function needsData({
  response_schema,
  response_type,
}: Pick<Asked, 'response_schema' | 'response_type'>): boolean {
  return response_schema !== undefined && response_type !== 'form';
}

/** What is filled in, as an answer; undefined while something is missing that the page can see. */
export function saidBy(asked: Asked, { value, form }: Filled): Said | undefined {
  const schema = formSchemaOf(asked);
  const inForm = schema && formOf(schema, form);
  if (inForm && inForm.faults.length > 0) return undefined;
  if (asked.response_type === 'form') {
    return inForm?.value === undefined ? undefined : { value: inForm.value };
  }
  if (value === undefined || (typeof value === 'string' && isUnsaid(asked, value)))
    return undefined;
  return { value, ...(schema && { data: inForm?.value ?? {} }) };
}

/** Whether nobody would see anything of a text, unless the question itself names it as a choice. */
function isUnsaid({ choices = [] }: Asked, text: string): boolean {
  return text === '' || (isBlank(text) && !choices.some((choice) => choice.value === text));
}

/** Whether Send can be pressed. A form that somebody has begun can be sent to see what is missing in it. */
export function canSend(asked: Asked, filled: Filled): boolean {
  const schema = formSchemaOf(asked);
  if (asked.response_type !== 'form') {
    const { value } = filled;
    return value !== undefined && !(typeof value === 'string' && isUnsaid(asked, value));
  }
  if (schema === undefined) return false;
  return filled.form !== undefined || isComplete(schema, formOf(schema, undefined));
}

/** A form as it would be sent so far, to keep and to copy. */
export function soFar(asked: Asked, form: Entered | undefined): JsonValue {
  const schema: JsonObject = formSchemaOf(asked) ?? {};
  return formOf(schema, form).value ?? {};
}
