import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { fieldSchema } from '../../../domain/suspension/form-schema.js';

type Asked = Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'>;

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What is filled in: the schema of a question, or one made of the fields that the context of a form names. A form without
 * either takes any value, as JSON. Undefined where there is no form.
 */
export function formSchemaOf({
  response_type,
  response_schema,
  context,
}: Asked): JsonObject | undefined {
  if (response_schema !== undefined) return response_schema;
  return response_type === 'form' ? schemaOfFields(context?.['fields']) : undefined;
}

function schemaOfFields(listed: JsonValue | undefined): JsonObject {
  const fields = Array.isArray(listed) ? (listed as readonly JsonValue[]).filter(isObject) : [];
  const named = fields.flatMap((field) =>
    typeof field['name'] === 'string' ? [[field['name'], field] as const] : [],
  );
  if (named.length === 0) return {};
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, field]) => [name, fieldSchema(field)])),
    required: named.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}
