import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { fieldSchema, listedFields } from '../../../domain/suspension/form-schema.js';

type Asked = Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'>;

/**
 * What is filled in: the schema of a question, or one made of the fields that the context of a form names. A form without
 * either takes any value, as JSON, and so does one whose fields cannot all have an input. Undefined where there is no form.
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
  const fields = listedFields(listed);
  if (!fields) return {};
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}
