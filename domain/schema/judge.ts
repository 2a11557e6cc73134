import { validate, type OutputUnit } from '@cfworker/json-schema';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { fieldAt, visitsOf } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { cutTo } from '../kernel/text.js';
import { workLeft } from './work.js';

const DIALECT = '2020-12';
/** Half of a surrogate pair, which no path can name. */
const HALF = /\p{Surrogate}/u;
/** Keywords whose errors only repeat those of others. */
const PASSING: readonly string[] = ['$ref', 'allOf', 'if', 'dependentSchemas'];
const DETAIL_BYTES = 500;

/**
 * How much work remains for all values that are judged together, such as the calls of one turn. Below 0 it is used
 * up.
 */
export class JudgingBudget {
  left: number = LIMITS.schemaWork;
}

/**
 * Judges a value by a schema that `checkSchema` has accepted, by JSON Schema 2020-12 with limited work (JC-42).
 * Refuses `invalid_value` with the path of the part that does not fit.
 *
 * @param field - where the value is in the answer
 * @param budget - of all values that are judged together, which may take no more work than one
 */
export function judgeBySchema(
  schema: JsonObject,
  value: JsonValue,
  field: string,
  budget = new JudgingBudget(),
): Ruling<true> {
  const size = checkParts(value, field);
  if (!size.ok) return size;
  const work = checkWork(schema, value, field, budget);
  if (!work.ok) return work;
  const errors = errorsIn(schema, value, true);
  if (errors === undefined) return unjudged(field);
  const fault = tellingFault(errors);
  if (fault === undefined) return ok(true);
  const { instanceLocation, keyword, error } = fault;
  const at = fieldAt(field, namesIn(instanceLocation));
  const why = keyword === 'false' ? 'The schema allows no value here.' : error;
  return refuse('invalid_value', cutTo(`${at} does not fit: ${why}`, DETAIL_BYTES), {
    field: at,
    accepted: 'what response_schema describes',
  });
}

export interface SchemaFault {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly detail: string;
}

/** Keywords whose error only says that a part does not fit. */
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

/** Returns all parts of a value that do not fit, to mark them in a form. Only `judgeBySchema` refuses. */
export function faultsBySchema(schema: JsonObject, value: JsonValue): readonly SchemaFault[] {
  if (!checkParts(value, '').ok) return [];
  if (!checkWork(schema, value, '', new JudgingBudget()).ok) return [];
  const errors = errorsIn(schema, value, false) ?? [];
  return errors
    .filter(({ keyword }) => !AROUND.includes(keyword))
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

function checkWork(
  schema: JsonObject,
  value: JsonValue,
  field: string,
  budget: JudgingBudget,
): Ruling<true> {
  budget.left = workLeft(schema, value, budget.left);
  if (budget.left >= 0) return ok(true);
  return refuse('invalid_value', 'The value takes too long to be judged by the schema.', {
    field,
    accepted: `fewer or shorter parts: those parts times the schemas for each are at most ${LIMITS.schemaWork}`,
  });
}

function unjudged(field: string): Ruling<never> {
  const accepted = 'a value that the schema can judge';
  return refuse('invalid_value', 'The schema cannot judge this value.', { field, accepted });
}

/** Returns the library's errors; undefined if it throws, which would repeat a workflow's task for ever. */
function errorsIn(
  schema: JsonObject,
  value: JsonValue,
  untilFirst: boolean,
): readonly OutputUnit[] | undefined {
  const defined = Object.entries((schema['$defs'] ?? {}) as Record<string, JsonObject>);
  const named = Object.fromEntries(defined.map(([name, inner]) => [`#/$defs/${name}`, inner]));
  try {
    return validate(value, schema, DIALECT, named, untilFirst).errors;
  } catch {
    return undefined;
  }
}

function tellingFault(faults: readonly OutputUnit[]): OutputUnit | undefined {
  let deepest = 0;
  let there: OutputUnit[] = [];
  for (const fault of faults) {
    const depth = fault.instanceLocation.split('/').length;
    if (depth < deepest) continue;
    if (depth > deepest) there = [];
    deepest = depth;
    there.push(fault);
  }
  return there.find(({ keyword }) => !PASSING.includes(keyword)) ?? there[0];
}

/** The names in a JSON pointer in a URI fragment. */
function namesIn(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1).map(decodeURIComponent);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
