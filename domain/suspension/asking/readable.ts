import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { quoted } from '../../kernel/text.js';
import { saysNothing } from '../../schema/anything.js';

type Form = Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'>;

/** Refuses `invalid_request` for a question without visible text. */
export function checkText(question: string): Ruling<true> {
  if (!isBlank(question)) return ok(true);
  return refuse('invalid_request', 'The question is blank: nobody sees its characters.', {
    field: 'question',
    accepted: 'a text that people can see',
  });
}

/** Whether a form asks for nothing: it has no schema, or one that any value fits, and names no fields. */
export function asksNothing({ response_type, response_schema, context }: Form): boolean {
  if (response_type !== 'form') return false;
  if (response_schema !== undefined) return saysNothing(response_schema);
  return namesIn(context).every((name) => name === undefined || isBlank(name));
}

/** The names of the fields that the context of a form lists; undefined for a field without a usable name. */
function namesIn(context: Form['context']): readonly (string | undefined)[] {
  const { fields } = context ?? {};
  const listed: readonly unknown[] = Array.isArray(fields) ? fields : [];
  return listed.map((field) => {
    const name = isObject(field) ? field['name'] : undefined;
    return typeof name === 'string' ? name : undefined;
  });
}

/** A field that nobody could fill in. */
export interface FieldFault {
  readonly field: string;
  readonly detail: string;
  readonly accepted: string;
}

/**
 * The first listed field with no name, an invisible one, or the name of another field, because only one of the two
 * could be answered.
 */
export function fieldFault({
  response_type,
  response_schema,
  context,
}: Form): FieldFault | undefined {
  if (response_type !== 'form' || response_schema !== undefined) return undefined;
  const seen = new Set<string>();
  const names = namesIn(context);
  // Without any name, the form does not say what is asked.
  const isNamed = names.some((name) => name !== undefined);
  for (const [index, name] of isNamed ? names.entries() : []) {
    const field = `context.fields[${index}].name`;
    if (name === undefined) {
      const detail = `Field ${index + 1} of the form has no name.`;
      return { field, detail, accepted: 'an object with a name for each field' };
    }
    if (isBlank(name)) {
      const detail = 'The name of a field is blank: nobody sees its characters.';
      return { field, detail, accepted: 'a name that people can see' };
    }
    if (seen.has(name)) {
      const detail = `Two fields have the name ${quoted(name)}.`;
      return { field, detail, accepted: 'a name that no other field has' };
    }
    seen.add(name);
  }
  return undefined;
}

/**
 * Refuses `invalid_response_schema` for an empty form, and `invalid_request` for a field that nobody could fill in.
 */
export function checkForm(asked: Form): Ruling<true> {
  const fault = fieldFault(asked);
  if (fault) {
    const { detail, ...extra } = fault;
    return refuse('invalid_request', detail, extra);
  }
  if (!asksNothing(asked)) return ok(true);
  return refuse('invalid_response_schema', 'The form does not say what is asked.', {
    field: 'response_schema',
    accepted: 'a JSON Schema of the answer, or a list of named fields in context.fields',
  });
}
