import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { parseExact } from '../contracts/constants/exact-json.js';
import { takesAnything } from '../domain/schema/anything.js';
import { fits, flatSchema, listed } from '../domain/schema/flat.js';
import { usage } from './failures.js';
import { oneLine } from './text.js';
import { jsonOrText } from './values.js';

const YES = /^(y|yes|true)$/i;
const NO = /^(n|no|false)$/i;

interface Answered {
  readonly record: Pick<SuspensionView['record'], 'response_type' | 'response_schema'>;
}

/**
 * Returns typed text as the value that the question takes; see `valueBySchema`. The service refuses a value that does not fit.
 *
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

/** The names of the typed text in messages. */
interface Naming {
  readonly name: string;
  /** The name with the typed text. */
  readonly typed: string;
  /** How to send it as text. */
  readonly asText: string;
}

/**
 * Returns typed text as its schema takes it. A text that fits stays text, even if it looks like a number; other JSON is parsed.
 *
 * @param root - the schema that contains this one
 * @throws CliError if it fits both as text and as JSON, or if JSON cannot be read exactly
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
