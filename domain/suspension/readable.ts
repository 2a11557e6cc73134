import { isBlank } from '../../contracts/constants/visible-text.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';

type Form = Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'>;

/** Refuses `invalid_request` for a question of which people would see nothing. */
export function checkText(question: string): Ruling<true> {
  if (!isBlank(question)) return ok(true);
  return refuse('invalid_request', 'The question is blank: nobody sees its characters.', {
    field: 'question',
    accepted: 'a text that people can see',
  });
}

/** Whether a form says nothing of what is asked: it has no schema, or an empty one, and names no fields. */
export function asksNothing({ response_type, response_schema, context }: Form): boolean {
  if (response_type !== 'form') return false;
  if (response_schema !== undefined) return Object.keys(response_schema).length === 0;
  const { fields } = context ?? {};
  if (!Array.isArray(fields)) return true;
  return !fields.some((field) => isObject(field) && typeof field['name'] === 'string');
}

/** Refuses `invalid_response_schema` for a form that says nothing of what is asked. */
export function checkForm(asked: Form): Ruling<true> {
  if (!asksNothing(asked)) return ok(true);
  return refuse('invalid_response_schema', 'The form does not say what is asked.', {
    field: 'response_schema',
    accepted: 'a JSON Schema of the answer, or a list of named fields in context.fields',
  });
}
