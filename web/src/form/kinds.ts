import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { listed } from '../../../domain/schema/flat.js';

type Kind = 'string' | 'number' | 'array' | 'object' | 'types';

/** Keywords that show the type of a value if the schema has no `type`. */
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

/** Returns what kind of input a schema takes; undefined if it allows any value. */
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
