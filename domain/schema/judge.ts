import { Validator } from '@cfworker/json-schema';
import type { OutputUnit } from '@cfworker/json-schema';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { fieldAt, visitsOf } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { cutTo } from '../kernel/text.js';

const DIALECT = '2020-12';
/** Half of a surrogate pair, which no path can name. */
const HALF = /\p{Surrogate}/u;
/** Keywords that only pass on what others found. */
const PASSING: readonly string[] = ['$ref', 'allOf', 'if', 'dependentSchemas'];
const DETAIL_BYTES = 500;

/**
 * Judges a value by a schema that `checkSchema` has passed, by JSON Schema 2020-12 (JC-42). The work is limited: a value
 * has few parts and little depth, and a schema little to compare each with. Refuses `invalid_value` with the path of the part that
 * does not fit.
 *
 * @param field - where the value stands in the answer
 */
export function judgeBySchema(schema: JsonObject, value: JsonValue, field: string): Ruling<true> {
  const size = checkParts(value, field);
  if (!size.ok) return size;
  // The library leaves marks in what it is given.
  const validator = new Validator(JSON.parse(JSON.stringify(schema)) as JsonObject, DIALECT);
  const fault = tellingFault(validator.validate(value).errors);
  if (fault === undefined) return ok(true);
  const { instanceLocation, keyword, error } = fault;
  const at = fieldAt(field, namesIn(instanceLocation));
  const why = keyword === 'false' ? 'The schema allows no value here.' : error;
  return refuse('invalid_value', cutTo(`${at} does not fit: ${why}`, DETAIL_BYTES), {
    field: at,
    accepted: 'what response_schema describes',
  });
}

/** A part of a value that does not fit, and why. */
export interface SchemaFault {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly detail: string;
}

/** Keywords that say of a whole that one of its parts does not fit. */
const AROUND: readonly string[] = [
  ...PASSING,
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const MISSING = /^Instance does not have required property "(.*)"\.$/s;

/**
 * Returns every part of a value that does not fit a schema that `checkSchema` has passed, so that a form can mark them all. A
 * missing part is at its own path. Whether the value is refused, `judgeBySchema` says.
 */
export function faultsBySchema(schema: JsonObject, value: JsonValue): readonly SchemaFault[] {
  const validator = new Validator(JSON.parse(JSON.stringify(schema)) as JsonObject, DIALECT, false);
  return validator
    .validate(value)
    .errors.filter(({ keyword }) => !AROUND.includes(keyword))
    .map(({ instanceLocation, keyword, error }) => {
      const missing = keyword === 'required' ? MISSING.exec(error)?.[1] : undefined;
      const path = namesIn(instanceLocation);
      if (missing !== undefined) return { path: [...path, missing], keyword, detail: 'Required.' };
      return { path, keyword, detail: keyword === 'false' ? 'Nothing is allowed here.' : error };
    });
}

function checkParts(value: JsonValue, field: string): Ruling<true> {
  let parts = 0;
  for (const { name, depth } of visitsOf(value)) {
    parts += 1;
    const isName = typeof name === 'number' || !HALF.test(name);
    if (isName && parts <= LIMITS.schemaValues && depth <= LIMITS.schemaDepth) continue;
    return refuse('invalid_value', 'The value has too many parts to be judged by the schema.', {
      field,
      accepted: `at most ${LIMITS.schemaValues} parts, nested at most ${LIMITS.schemaDepth} deep, with names that are whole texts`,
    });
  }
  return ok(true);
}

/** The first fault of those deepest in the value. */
function tellingFault(faults: readonly OutputUnit[]): OutputUnit | undefined {
  const depthOf = ({ instanceLocation }: OutputUnit) => instanceLocation.split('/').length;
  const deepest = Math.max(...faults.map(depthOf));
  const there = faults.filter((fault) => depthOf(fault) === deepest);
  return there.find(({ keyword }) => !PASSING.includes(keyword)) ?? there[0];
}

/** The names in a JSON pointer that is a fragment of a URI. */
function namesIn(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1).map(decodeURIComponent);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
