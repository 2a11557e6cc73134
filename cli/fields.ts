import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { takesAnything } from '../domain/schema/anything.js';
import { flatSchema, isJsonObject, listed } from '../domain/schema/flat.js';
import { fieldSchema } from '../domain/suspension/form-schema.js';
import { usage } from './failures.js';
import { oneLine } from './text.js';
import { jsonOrText } from './values.js';
import { valueBySchema } from './typed-value.js';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Form = Pick<SuspensionView['record'], 'response_schema' | 'context'>;

/**
 * Fields as they were typed, as an object. What the form takes as text stays as it was typed, also if it looks like a number.
 * Any other value that is JSON is taken as that. Of a field of which the form says nothing, a number that would be another one
 * than was typed stays text.
 *
 * @throws CliError if the form takes what was typed both as text and as JSON, or if a number or a name in the JSON would be lost
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
  const root = form.response_schema ?? {};
  const schema = schemaOf(form, name);
  if (schema === undefined || takesAnything(schema, root)) return unknownValue(typed, name);
  return valueBySchema(typed, schema, root, {
    name: `--field ${name}`,
    typed: `--field ${oneLine(`${name}=${typed}`)}`,
    asText: `write the whole answer as JSON in place of the fields, such as '${shown(name, typed)}'`,
  });
}

function shown(name: string, text: string): string {
  return oneLine(JSON.stringify({ [name]: text }));
}

/** The form says nothing of such a field. */
function unknownValue(typed: string, name: string): JsonValue {
  if (!JSON_NUMBER.test(typed.trim())) return jsonOrText(typed, `--field ${name}`);
  return String(Number(typed)) === typed ? Number(typed) : typed;
}

/** What the form says of a field, with all that it refers to; undefined where it does not have it. */
function schemaOf({ response_schema, context }: Form, name: string): JsonObject | undefined {
  if (response_schema === undefined) {
    const all: unknown = context?.['fields'];
    const fields: readonly unknown[] = Array.isArray(all) ? all : [];
    const field = fields.find((one) => isObject(one) && one['name'] === name);
    return isObject(field) ? fieldSchema(field as JsonObject) : undefined;
  }
  const [only, ...others] = named(response_schema, response_schema, name);
  return only === undefined || others.length === 0 ? only : { anyOf: [only, ...others] };
}

/** The schemas of a field: more than one where it is that of several branches. */
function named(schema: JsonObject, root: JsonObject, name: string): readonly JsonObject[] {
  const flat = flatSchema(schema, root) ?? schema;
  const { properties, oneOf, anyOf } = flat;
  const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  if (isJsonObject(own) && Object.keys(own).length > 0) return [own];
  const branches = [...listed(oneOf), ...listed(anyOf)].filter(isJsonObject);
  return branches.flatMap((branch) => named(branch, root, name));
}
