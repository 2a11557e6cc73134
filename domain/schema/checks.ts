import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isObject } from '../kernel/message-form.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { fieldAt, isJsonObject, jsonBytes, pathOf, visitsOf } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { listed } from './flat.js';
import { ACCEPTED_PATTERN, isLinearPattern } from './pattern.js';
import { patternCharacters } from './work.js';

/** Supported formats, which are checked in linear time. */
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

/** The values that the keywords of a schema accept, by kind. Inner schemas are examined separately. */
const VALUES = {
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
const KEYWORDS: Readonly<Record<string, ValueKind>> = {
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

interface Place {
  readonly schema: JsonValue;
  readonly path: readonly PropertyKey[];
}
type Refused = Ruling<never>;

/** The size and depth of a schema with the targets of each `$ref`. */
interface Expanded {
  readonly bytes: number;
  readonly depth: number;
}

const FIELD = 'response_schema';
const DEFINED = /^#\/\$defs\/([\w.-]+)$/;
/** Half of a surrogate pair, which no path can name. */
const HALF = /\p{Surrogate}/u;
const ONLY_AT_TOP: readonly string[] = ['$schema', '$defs'];

/**
 * Checks a schema for a question: JSON Schema 2020-12 without what is slow to judge or depends on anything outside
 * (JC-15). Refuses `invalid_response_schema` with the path.
 */
export function checkSchema(schema: JsonObject): Ruling<true> {
  const size = checkSize(schema);
  if (!size.ok) return size;
  for (const place of placesIn({ schema, path: [] })) {
    const fault = placeFault(place);
    if (fault) return fault;
  }
  return checkReferences(schema);
}

/** Checks a schema for the data of an answer, which is an object. Refuses `invalid_response_schema` with the path. */
export function checkDataSchema(schema: JsonObject): Ruling<true> {
  const checked = checkSchema(schema);
  const types = listed(schema['type']);
  if (!checked.ok || types.length === 0 || types.includes('object')) return checked;
  const detail = 'The schema of a decision is for its data, which is an object.';
  return refused(['type'], detail, 'object, or no type');
}

function refused(path: readonly PropertyKey[], detail: string, accepted: string): Refused {
  return refuse('invalid_response_schema', detail, { field: fieldAt(FIELD, path), accepted });
}

function checkSize(schema: JsonObject): Ruling<true> {
  if (jsonBytes(schema) > LIMITS.schemaBytes) return tooLarge();
  for (const visit of visitsOf(schema)) {
    if (visit.depth <= LIMITS.schemaDepth) continue;
    return tooDeep(pathOf(visit), LIMITS.schemaDepth);
  }
  if (patternCharacters(schema) > LIMITS.patternCharactersTogether) return tooManyPatterns();
  return ok(true);
}

function tooDeep(path: readonly PropertyKey[], most: number): Refused {
  const accepted = `at most ${most} levels, with what each $ref names in its place`;
  return refused(path, 'The schema is nested too deep.', accepted);
}

function tooManyPatterns(): Refused {
  const accepted = `patterns of at most ${LIMITS.patternCharactersTogether} characters together`;
  return refused([], 'Its patterns would take long to compile.', accepted);
}

function tooLarge(): Refused {
  const accepted = `at most ${LIMITS.schemaBytes} bytes of JSON, with what each $ref names in its place`;
  return refused([], 'The schema is too large.', accepted);
}

/** Yields a schema and all within it, outer ones first, for keywords whose value has the right form. */
function* placesIn(place: Place): Generator<Place> {
  yield place;
  const { schema, path } = place;
  if (!isJsonObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    const here = [...path, keyword];
    if (kind === 'schema') yield* placesIn({ schema: value, path: here });
    if (kind !== 'schemas' && kind !== 'named schemas') continue;
    const isList = kind === 'schemas';
    for (const [name, inner] of Object.entries(value as JsonObject)) {
      yield* placesIn({ schema: inner, path: [...here, isList ? Number(name) : name] });
    }
  }
}

function placeFault({ schema, path }: Place): Refused | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return refused(path, 'This is no schema.', 'an object, true or false');
  for (const [keyword, value] of Object.entries(schema)) {
    const fault = keywordFault(keyword, value, path);
    if (fault) return fault;
  }
  return undefined;
}

function keywordFault(
  keyword: string,
  value: JsonValue,
  path: readonly PropertyKey[],
): Refused | undefined {
  const here = [...path, keyword];
  const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
  if (kind === undefined || (path.length > 0 && ONLY_AT_TOP.includes(keyword))) {
    const detail = path.length > 0 && kind ? 'This stands at the top only.' : 'An unknown keyword.';
    return refused(here, detail, `one of: ${Object.keys(KEYWORDS).join(', ')}`);
  }
  const { fits, accepted } = VALUES[kind];
  if (!fits(value)) return refused(here, 'The keyword does not take this value.', accepted);
  if (keyword === 'pattern' && !isLinearPattern(value as string)) return slowPattern(here);
  return kind === 'named schemas'
    ? nameFault(keyword, Object.keys(value as JsonObject), here)
    : undefined;
}

function slowPattern(path: readonly PropertyKey[]): Refused {
  return refused(path, 'A text could take this pattern long to match.', ACCEPTED_PATTERN);
}

function nameFault(
  keyword: string,
  names: readonly string[],
  path: readonly PropertyKey[],
): Refused | undefined {
  const slow = keyword === 'patternProperties' && names.find((name) => !isLinearPattern(name));
  if (slow !== undefined && slow !== false) return slowPattern([...path, slow]);
  const broken = names.find((name) => HALF.test(name));
  if (broken === undefined) return undefined;
  return refused(path, 'A name has half of a surrogate pair.', 'whole texts');
}

/** Counts the targets of each `$ref`: a few that refer to each other could expand to millions of schemas. */
function checkReferences(schema: JsonObject): Ruling<true> {
  const defined = (schema['$defs'] ?? {}) as JsonObject;
  const sizes = new Map<string, Expanded>();
  const open = new Set<string>();

  function sizeOf(inner: Place): Ruling<Expanded> {
    let bytes = jsonBytes(inner.schema);
    let depth = 0;
    for (const { schema: place, path } of placesIn(inner)) {
      const within = path.length - inner.path.length;
      depth = Math.max(depth, within);
      if (!isObject(place) || place['$ref'] === undefined) continue;
      const size = sizeNamed(place['$ref'] as string, [...path, '$ref']);
      if (!size.ok) return size;
      bytes += size.value.bytes;
      depth = Math.max(depth, within + 1 + size.value.depth);
      if (bytes > LIMITS.schemaBytes) return tooLarge();
      if (depth > LIMITS.schemaExpandedDepth) return tooDeep(path, LIMITS.schemaExpandedDepth);
    }
    return ok({ bytes, depth });
  }

  function sizeNamed(reference: string, path: readonly PropertyKey[]): Ruling<Expanded> {
    const name = DEFINED.exec(reference)?.[1];
    const target = name !== undefined && Object.hasOwn(defined, name) ? defined[name] : undefined;
    if (name === undefined || target === undefined) {
      return refused(
        path,
        'The schema defines nothing of this name.',
        '#/$defs/ and one of its $defs',
      );
    }
    if (open.has(name)) {
      return refused(path, 'The schema contains itself.', 'references that form no circle');
    }
    const known = sizes.get(name);
    if (known !== undefined) return ok(known);
    open.add(name);
    const size = sizeOf({ schema: target, path: ['$defs', name] });
    open.delete(name);
    if (size.ok) sizes.set(name, size.value);
    return size;
  }

  const size = sizeOf({ schema, path: [] });
  return size.ok ? ok(true) : size;
}
