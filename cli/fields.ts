import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { fieldSchema } from '../domain/suspension/form-schema.js';
import { jsonOrText } from './values.js';

type Form = Pick<SuspensionView['record'], 'response_schema' | 'context'>;

/**
 * Fields as they were typed, as an object. What the form takes as text stays as it was typed, also if it looks like a number.
 * Any other value that is JSON is taken as that, but no number that would be another one than was typed.
 */
export function fieldsIn(
  typed: readonly (readonly [name: string, value: string])[],
  form: Form,
): JsonObject {
  return Object.fromEntries(typed.map(([name, value]) => [name, valueOf(value, form, name)]));
}

function valueOf(typed: string, form: Form, name: string): JsonValue {
  const types = typesOf(form, name);
  if (types.includes('string') && types.every((type) => type === 'string' || type === 'null')) {
    return types.includes('null') && typed === 'null' ? null : typed;
  }
  const value = jsonOrText(typed);
  if (typeof value !== 'number' || String(value) === typed) return value;
  const isNumber = types.includes('number') || types.includes('integer');
  const isMeant = isNumber && !types.includes('string');
  return isMeant && isExact(typed, value) ? value : typed;
}

/** What a field may be, as far as the form says. */
function typesOf({ response_schema, context }: Form, name: string): readonly unknown[] {
  if (response_schema === undefined) {
    const listed: unknown = context?.['fields'];
    const fields: readonly unknown[] = Array.isArray(listed) ? listed : [];
    const field = fields.find((one) => isObject(one) && one['name'] === name);
    return isObject(field) ? [fieldSchema(field as JsonObject)['type']] : [];
  }
  const { properties } = response_schema;
  const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  const type = isObject(schema) ? schema['type'] : undefined;
  return Array.isArray(type) ? type : [type];
}

/** So many significant digits every number keeps. */
const KEPT_DIGITS = 15;

/** Whether a number is the one that was typed, though it is written in another way, as 1.50 and 1e5 are. */
function isExact(typed: string, value: number): boolean {
  const [mantissa = ''] = typed.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const isInRange = Number.isFinite(value) && (value !== 0 || digits === '');
  return isInRange && digits.length <= KEPT_DIGITS;
}
