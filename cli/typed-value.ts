import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { parseExact } from '../contracts/constants/exact-json.js';
import { takesAnything } from '../domain/schema/anything.js';
import { fits, flatSchema, listed } from '../domain/schema/flat.js';
import { usage } from './failures.js';
import { oneLine } from './text.js';
import { jsonOrText } from './values.js';

const YES = /^(y|yes|true)$/i;
const NO = /^(n|no|false)$/i;

/**
 * What somebody typed, as the value that the question takes; see `valueBySchema`. What does not fit is left for the service to
 * refuse.
 *
 * @throws CliError as `valueBySchema` does
 */
export function answerValue(
  {
    record,
  }: { readonly record: Pick<SuspensionView['record'], 'response_type' | 'response_schema'> },
  typed: string,
): JsonValue {
  const { response_type, response_schema } = record;
  if (response_type === 'form') return formValue(typed, response_schema);
  if (response_type !== 'confirm') return typed;
  if (YES.test(typed)) return 'yes';
  return NO.test(typed) ? 'no' : typed;
}

/** A whole form. Where it takes more than texts, a text can be written as JSON, in its quotes. */
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

/** How messages name what was typed. */
interface Naming {
  readonly name: string;
  /** The same with what was typed. */
  readonly typed: string;
  /** How to send it as text. */
  readonly asText: string;
}

/**
 * What somebody typed, as its schema takes it. What the schema takes as text stays as it was typed, also if it looks like a number;
 * any other JSON is taken as its value.
 *
 * @param root - the schema that it is a part of
 * @throws CliError if it is taken both as text and as JSON, or if a number or a name in the JSON would be lost
 */
export function valueBySchema(
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

/** What a JSON text says; undefined for another text, and for one of which something would be lost. */
function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseExact(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether a text that does not fit is refused by the service as the text that it is. */
function takesText(schema: JsonObject, root: JsonObject): boolean {
  const types = listed(flatSchema(schema, root)?.['type']);
  return types.includes('string') && types.every((type) => type === 'string' || type === 'null');
}
