import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { fieldSchema } from '../domain/suspension/form-schema.js';
import { usage } from './failures.js';
import { jsonOrText } from './values.js';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Form = Pick<SuspensionView['record'], 'response_schema' | 'context'>;

/**
 * Fields as they were typed, as an object. What the form takes as text stays as it was typed, also if it looks like a number.
 * Any other value that is JSON is taken as that. A number that would be another one than was typed stays text where the form
 * does not ask for a number.
 *
 * @throws CliError if the form asks for a number, or takes JSON, and a number or a name in it would be lost
 */
export function fieldsIn(
  typed: readonly (readonly [name: string, value: string])[],
  form: Form,
): JsonObject {
  const names = typed.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`--field ${twice} is given twice.`);
  return Object.fromEntries(typed.map(([name, value]) => [name, valueOf(value, form, name)]));
}

function valueOf(typed: string, form: Form, name: string): JsonValue {
  const types = typesOf(form, name);
  if (types.includes('string') && types.every((type) => type === 'string' || type === 'null')) {
    return types.includes('null') && typed === 'null' ? null : typed;
  }
  const isNumber = types.includes('number') || types.includes('integer');
  const isMeant = isNumber && !types.includes('string');
  if (JSON_NUMBER.test(typed.trim()) && !isMeant) {
    return String(Number(typed)) === typed ? Number(typed) : typed;
  }
  return jsonOrText(typed, `--field ${name}`);
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
