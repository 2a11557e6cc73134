import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { definedIn } from './work.js';
import { listed } from './flat.js';
import { isJsonObject } from '../kernel/json.js';

/** Annotations for people or tools, which do not restrict the value. */
const SAID: readonly string[] = [
  '$schema',
  '$defs',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
];
const WITHIN: readonly string[] = [
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
];
const LEAST: readonly string[] = ['minLength', 'minItems', 'minProperties'];
/** Keywords that name parts of an answer, and so define fields of a form. */
const NAMING: readonly string[] = ['properties', 'patternProperties', 'prefixItems'];

/** Whether any value obviously fits a schema that `checkSchema` has accepted. */
export function takesAnything(schema: JsonValue | undefined, root: JsonObject): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const takes = (inner: JsonValue | undefined) => takesAnything(inner, root);
  return Object.entries(schema).every(([keyword, value]) => {
    if (SAID.includes(keyword)) return true;
    if (keyword === '$ref') return takes(definedIn(root, value));
    if (WITHIN.includes(keyword)) return takes(value);
    if (LEAST.includes(keyword)) return value === 0;
    switch (keyword) {
      case 'allOf':
      case 'prefixItems':
        return listed(value).every(takes);
      case 'anyOf':
        return listed(value).some(takes);
      case 'oneOf':
        return listed(value).length === 1 && listed(value).every(takes);
      case 'properties':
      case 'patternProperties':
        return Object.values(value as JsonObject).every(takes);
      case 'required':
        return listed(value).length === 0;
      default:
        return false;
    }
  });
}

/** Whether a schema says nothing about an answer: any value fits it, and it names no parts. */
export function saysNothing(schema: JsonObject): boolean {
  return takesAnything(schema, schema) && !namesParts(schema, schema);
}

function namesParts(schema: JsonValue | undefined, root: JsonObject): boolean {
  if (!isJsonObject(schema)) return false;
  const { allOf, anyOf, oneOf, $ref } = schema;
  const applied = [...listed(allOf), ...listed(anyOf), ...listed(oneOf), definedIn(root, $ref)];
  return (
    NAMING.some((keyword) => Object.keys(schema[keyword] ?? {}).length > 0) ||
    applied.some((inner) => namesParts(inner, root))
  );
}
