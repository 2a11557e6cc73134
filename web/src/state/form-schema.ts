import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';

const TYPES: Readonly<Record<string, JsonObject>> = {
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
};

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema of one field, as `context.fields` describes it: name, label, type, required, and perhaps options. */
function fieldSchema({ label, type, description, options }: JsonObject): JsonObject {
  return {
    ...(typeof type === 'string' ? (TYPES[type] ?? { type: 'string' }) : { type: 'string' }),
    ...(typeof label === 'string' && { title: label }),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(options) && options.length > 0 && { enum: options as JsonValue }),
  };
}

/** What an answer has to look like: the schema of the question, or one made of the fields that its context names. */
export function formSchemaOf({
  response_schema,
  context,
}: Pick<SuspensionRecord, 'response_schema' | 'context'>): JsonObject {
  if (response_schema !== undefined) return response_schema;
  const listed = context?.fields;
  const fields = Array.isArray(listed) ? (listed as readonly JsonValue[]).filter(isObject) : [];
  const named = fields.flatMap((field) =>
    typeof field.name === 'string' ? [[field.name, field] as const] : [],
  );
  if (named.length === 0) return { type: 'object', additionalProperties: { type: 'string' } };
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, field]) => [name, fieldSchema(field)])),
    required: named.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}
