import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { visible } from './visible.js';

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(values: JsonObject, map: (value: JsonValue, name: string) => JsonValue) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(value, name)] as const),
  );
}

const NAMED = ['properties', '$defs', 'definitions'];

/** A schema whose titles and descriptions can be shown. What it accepts stays the same. */
export function shownSchema(schema: JsonObject): JsonObject {
  const { examples, ...rest } = schema;
  return mapped(canBeShown(schema) ? schema : rest, (value, name) => {
    if ((name === 'title' || name === 'description') && typeof value === 'string') {
      return visible(value);
    }
    if (NAMED.includes(name) && isObject(value)) return mapped(value, shownField);
    if (Array.isArray(value)) return shownEach(value as readonly JsonValue[], name);
    return name === 'items' && isObject(value) ? shownSchema(value) : value;
  });
}

/** Whether a browser may list the examples of a field, and its default among them. */
function canBeShown({ examples = null, default: usual = null }: JsonObject): boolean {
  return [examples, usual].flat().every((one) => typeof one !== 'string' || visible(one) === one);
}

/** A field without a title is shown by its name. */
function shownField(field: JsonValue, name: string): JsonValue {
  if (!isObject(field)) return field;
  const title = visible(name);
  return shownSchema(title === name ? field : { title, ...field });
}

function shownEach(values: readonly JsonValue[], name: string): JsonValue {
  const areSchemas = name === 'oneOf' || name === 'anyOf' || name === 'allOf';
  return values.map((value) => (areSchemas && isObject(value) ? shownSchema(value) : value));
}

/** How the options of a schema are named, where they cannot be shown as they are. */
export function shownOptions(schema: JsonObject): JsonObject {
  const { enum: options, properties, items } = schema;
  return {
    ...(Array.isArray(options) && {
      'ui:enumNames': (options as readonly JsonValue[]).map((option) =>
        visible(typeof option === 'string' ? option : JSON.stringify(option)),
      ),
    }),
    ...(isObject(properties) &&
      mapped(properties, (field) => (isObject(field) ? shownOptions(field) : {}))),
    ...(isObject(items) && { items: shownOptions(items) }),
  };
}
