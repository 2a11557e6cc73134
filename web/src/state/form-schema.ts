import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { fieldSchema, listedFields } from '../../../domain/suspension/form/form-schema.js';
import type { ListedField } from '../../../domain/suspension/form/form-schema.js';
import type { Asked } from '../api/types.js';

/**
 * Returns the schema of the form of a question; undefined if it has no form. It is the schema of the question, or made of the fields
 * that the context names. If there is neither, or a field cannot have an input, the form takes any value as JSON.
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
/** The schema of a list is made once, because a form is recognised by its schema. */
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
