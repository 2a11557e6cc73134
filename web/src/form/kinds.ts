import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { listed } from '../../../domain/schema/flat.js';

export type Kind = 'string' | 'number' | 'array' | 'object' | 'types';

/** Keywords by which one sees the type of a value where a schema does not say it. */
const SIGNS: readonly (readonly [Kind, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'patternProperties',
      'required',
      'additionalProperties',
      'minProperties',
      'maxProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];
const OF_TYPE = new Map<JsonValue, Kind>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['array', 'array'],
  ['object', 'object'],
]);

/** What kind of input a schema takes; undefined where anything may be a value. */
export function kindOfSchema(schema: JsonObject): Kind | undefined {
  const types = listed(schema['type']);
  const [type] = types;
  if (types.length > 1) {
    return types.length === 2 && types.includes('integer') && types.includes('number')
      ? 'number'
      : 'types';
  }
  if (type !== undefined) return OF_TYPE.get(type);
  return SIGNS.find(([, names]) => names.some((name) => name in schema))?.[0];
}
