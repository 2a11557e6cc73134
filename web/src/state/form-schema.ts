import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { fieldSchema, listedFields } from '../../../domain/suspension/form-schema.js';
import type { ListedField } from '../../../domain/suspension/form-schema.js';

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

const ANYTHING: JsonObject = {};
/** The schema of a list is made once, so that a form knows it again. */
const made = new WeakMap<object, JsonObject>();

function schemaOfFields(listed: JsonValue | undefined): JsonObject {
  if (typeof listed !== 'object' || listed === null) return ANYTHING;
  const known = made.get(listed);
  if (known) return known;
  const schema = schemaOf(listedFields(listed));
  made.set(listed, schema);
  return schema;
}

function schemaOf(fields: readonly ListedField[] | undefined): JsonObject {
  if (!fields) return ANYTHING;
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}
