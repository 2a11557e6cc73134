import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { fieldSchema } from '../../../domain/suspension/form-schema.js';

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
