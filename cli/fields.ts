import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { takesAnything } from '../domain/schema/anything.js';
import { flatSchema, listed } from '../domain/schema/flat.js';
import { fieldSchema } from '../domain/suspension/form/form-schema.js';
import { usage } from './failures.js';
import { oneLine } from './text.js';
import { jsonOrText } from './values.js';
import { valueBySchema } from './typed-value.js';
import { isJsonObject } from '../domain/kernel/json.js';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Form = Pick<SuspensionView['record'], 'response_schema' | 'context'>;

/**
 * Returns typed fields as an object. A value that the form takes as text stays text, even if it looks like a number; any other
 * JSON is parsed. In a field that the form does not describe, a number that cannot be read exactly stays text.
 *
 * @throws CliError if the form takes the value both as text and as JSON, or if JSON cannot be read exactly
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

/** Reads a field that the form does not describe. */
function unknownValue(typed: string, name: string): JsonValue {
  if (!JSON_NUMBER.test(typed.trim())) return jsonOrText(typed, `--field ${name}`);
  return String(Number(typed)) === typed ? Number(typed) : typed;
}

/** Returns the form's schema of a field, with its references resolved; undefined if it has none. */
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

/** Returns the schemas of a field: several if it occurs in several branches. */
function named(schema: JsonObject, root: JsonObject, name: string): readonly JsonObject[] {
  const flat = flatSchema(schema, root) ?? schema;
  const { properties, oneOf, anyOf } = flat;
  const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  if (isJsonObject(own) && Object.keys(own).length > 0) return [own];
  const branches = [...listed(oneOf), ...listed(anyOf)].filter(isJsonObject);
  return branches.flatMap((branch) => named(branch, root, name));
}
