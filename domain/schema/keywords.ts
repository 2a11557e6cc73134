import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isObject } from '../kernel/message-form.js';

/** Formats that are judged, and take time in proportion to the text. */
const FORMATS: readonly string[] = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
];
const TYPES: readonly string[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
];
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

interface Taken {
  readonly fits: (value: JsonValue) => boolean;
  readonly accepted: string;
}

const isText = (value: JsonValue): boolean => typeof value === 'string';
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const isFilled = (value: JsonValue): boolean => isList(value) && value.length > 0;
const isEachOnce = (value: JsonValue): boolean =>
  isList(value) && value.every(isText) && new Set(value).size === value.length;
const isNumber = (value: JsonValue): value is number => Number.isFinite(value);
const isType = (value: JsonValue): boolean => TYPES.some((type) => type === value);

/** The values that the keywords of a schema accept, by kind. Inner schemas are examined on their own. */
export const VALUES = {
  schema: { fits: () => true, accepted: 'a schema' },
  schemas: { fits: isFilled, accepted: 'a list with at least one schema' },
  'named schemas': { fits: isObject, accepted: 'an object whose values are schemas' },
  anything: { fits: () => true, accepted: 'any value' },
  values: { fits: isFilled, accepted: 'a list with at least one value' },
  list: { fits: isList, accepted: 'a list' },
  text: { fits: isText, accepted: 'a text' },
  flag: { fits: (value) => typeof value === 'boolean', accepted: 'true or false' },
  number: { fits: isNumber, accepted: 'a number' },
  divisor: { fits: (value) => isNumber(value) && value > 0, accepted: 'a number above 0' },
  count: {
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    accepted: 'a whole number from 0',
  },
  names: { fits: isEachOnce, accepted: 'a list of texts, each once' },
  'named names': {
    fits: (value) => isObject(value) && Object.values(value as JsonObject).every(isEachOnce),
    accepted: 'an object whose values are lists of texts, each once',
  },
  type: {
    fits: (value) =>
      isType(value) ||
      (isFilled(value) && isEachOnce(value) && (value as JsonValue[]).every(isType)),
    accepted: `${TYPES.join(', ')}, or a list of these`,
  },
  format: {
    fits: (value) => FORMATS.some((format) => format === value),
    accepted: `one of: ${FORMATS.join(', ')}`,
  },
  dialect: { fits: (value) => value === DIALECT, accepted: DIALECT },
} satisfies Readonly<Record<string, Taken>>;
type ValueKind = keyof typeof VALUES;

/** The keywords of JSON Schema 2020-12 that a schema may have. */
export const KEYWORDS: Readonly<Record<string, ValueKind>> = {
  $schema: 'dialect',
  $defs: 'named schemas',
  $ref: 'text',
  $comment: 'text',
  title: 'text',
  description: 'text',
  default: 'anything',
  examples: 'list',
  deprecated: 'flag',
  readOnly: 'flag',
  writeOnly: 'flag',
  type: 'type',
  enum: 'values',
  const: 'anything',
  format: 'format',
  pattern: 'text',
  minLength: 'count',
  maxLength: 'count',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'divisor',
  properties: 'named schemas',
  patternProperties: 'named schemas',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  required: 'names',
  minProperties: 'count',
  maxProperties: 'count',
  dependentRequired: 'named names',
  dependentSchemas: 'named schemas',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
};
