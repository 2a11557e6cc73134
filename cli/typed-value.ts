import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { parseExact } from '../contracts/constants/exact-json.js';
import { takesAnything } from '../domain/schema/anything.js';
import { fits, flatSchema, listed } from '../domain/schema/flat.js';
import { usage } from './failures.js';
import { oneLine } from './text.js';
import { jsonOrText } from './values.js';
import { isObject } from '../client/reply.js';
import { fieldSchema } from '../domain/suspension/form/form-schema.js';
import { isJsonObject } from '../domain/kernel/json.js';

const YES = /^(y|yes|true)$/i;
const NO = /^(n|no|false)$/i;

interface Answered {
  readonly record: Pick<SuspensionView['record'], 'response_type' | 'response_schema'>;
}

/**
 * Returns typed text as a value of the question; see `valueBySchema`. The service refuses a value that does not fit.
 * @throws CliError as `valueBySchema`
 */
export function answerValue({ record }: Answered, typed: string): JsonValue {
  const { response_type, response_schema } = record;
  if (response_type === 'form') return formValue(typed, response_schema);
  if (response_type !== 'confirm') return typed;
  if (YES.test(typed)) return 'yes';
  return NO.test(typed) ? 'no' : typed;
}

/** Reads a whole form. If it takes more than texts, a text can be written as JSON, in quotes. */
function formValue(typed: string, schema: JsonObject | undefined): JsonValue {
  if (schema === undefined || takesAnything(schema, schema)) return jsonOrText(typed, 'The value');
  const json = jsonIn(typed);
  if (typeof json === 'string' && !takesText(schema, schema)) return json;
  return valueBySchema(typed, schema, schema, {
    name: 'The value',
    typed: `the value ${oneLine(typed)}`,
    asText: `write the text as JSON, '${oneLine(JSON.stringify(typed))}'`,
  });
}

interface Naming {
  readonly name: string;
  /** The name with the typed text. */
  readonly typed: string;
  readonly asText: string;
}

/**
 * Returns typed text as a value of its schema. A text that fits stays text, even if it looks like a number; other
 * JSON is parsed.
 * @param root - the schema that contains this one
 * @throws CliError if it fits both as text and as JSON, or if JSON cannot be read exactly
 */
function valueBySchema(
  typed: string,
  schema: JsonObject,
  root: JsonObject,
  naming: Naming,
): JsonValue {
  const isText = fits(schema, root, typed);
  const json = jsonIn(typed);
  const isJson = json !== undefined && fits(schema, root, json);
  if (isText && isJson && typeof json !== 'string') {
    if (json === null) return json;
    throw usage(`The form takes ${naming.typed} as text and as JSON: ${naming.asText}.`);
  }
  if (isText) return typed;
  if (isJson) return json;
  return takesText(schema, root) ? typed : jsonOrText(typed, naming.name);
}

/** Returns the value of a JSON text; undefined for other texts, and for JSON that cannot be read exactly. */
function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseExact(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether the schema takes only texts: the service then refuses a text that does not fit. */
function takesText(schema: JsonObject, root: JsonObject): boolean {
  const types = listed(flatSchema(schema, root)?.['type']);
  return types.includes('string') && types.every((type) => type === 'string' || type === 'null');
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Form = Pick<SuspensionView['record'], 'response_schema' | 'context'>;

/**
 * Returns typed fields as an object. A value that the form takes as text stays text, even if it looks like a number;
 * other JSON is parsed. In a field outside the form, a number that cannot be read exactly stays text.
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
