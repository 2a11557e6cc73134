import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isJsonObject, jsonEqual } from '../kernel/json.js';
import { judgeBySchema } from './judge.js';

/* A schema in the form that a form shows, with references and parts resolved. Nothing here judges an answer. */

const MOST_HOPS = 20;
/** Keywords that apply a schema to the same value, except `oneOf` and `anyOf`, which the form itself handles. */
const APPLYING = ['$ref', '$defs', 'allOf', 'if', 'then', 'else', 'dependentSchemas'];
/** Keywords for people; if two schemas have one, the outer one applies. */
const SAYING = [
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  '$comment',
  'deprecated',
];
const LEAST = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
];
const MOST = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
];

/** Whether a schema's fields depend on the entries. */
export function hasConditions(schema: JsonObject, root: JsonObject, hops = 0): boolean {
  if ('if' in schema || 'dependentSchemas' in schema) return true;
  if (hops > MOST_HOPS) return true;
  return partsOf(schema, root, undefined).some((part) => hasConditions(part, root, hops + 1));
}

export interface Conditional {
  readonly condition: JsonValue;
  readonly part: JsonObject;
}

/** The parts that a schema may add, depending on the entries. */
export function conditionalParts(
  schema: JsonObject,
  root: JsonObject,
  hops = 0,
): readonly Conditional[] {
  if (hops > MOST_HOPS) return [];
  const { if: condition = true, then: yes, else: no, dependentSchemas } = schema;
  const dependent = isJsonObject(dependentSchemas) ? Object.entries(dependentSchemas) : [];
  const own = [
    ...('if' in schema ? [yes, no] : []).map((part) => ({ condition, part })),
    ...dependent.map(([name, part]) => ({ condition: { required: [name] }, part })),
  ].flatMap(({ condition: when, part }) => (isJsonObject(part) ? [{ condition: when, part }] : []));
  const within = [...own.map(({ part }) => part), ...partsOf(schema, root, undefined)];
  return [...own, ...within.flatMap((part) => conditionalParts(part, root, hops + 1))];
}

/**
 * Merges all that applies to the same value into one schema; undefined where that is impossible.
 *
 * @param root - where `$ref` is looked up
 * @param value - the entries so far, which decide what conditions add; without it they add nothing
 */
export function flatSchema(
  schema: JsonObject,
  root: JsonObject,
  value?: JsonValue,
  hops = 0,
): JsonObject | undefined {
  if (hops > MOST_HOPS) return undefined;
  const reference = schema['$ref'];
  if (typeof reference === 'string' && !isJsonObject(target(reference, root))) return undefined;
  const own = Object.entries(schema).filter(([name]) => !APPLYING.includes(name));
  let flat: JsonObject | undefined = Object.fromEntries(own);
  for (const part of partsOf(schema, root, value)) {
    const inner = flatSchema(part, root, value, hops + 1);
    flat = flat && inner && merged(flat, inner);
  }
  return flat;
}

function partsOf(
  schema: JsonObject,
  root: JsonObject,
  value: JsonValue | undefined,
): readonly JsonObject[] {
  const { $ref, allOf, dependentSchemas } = schema;
  const all: readonly JsonValue[] = Array.isArray(allOf) ? (allOf as JsonValue[]) : [];
  const dependent = isJsonObject(dependentSchemas) ? Object.entries(dependentSchemas) : [];
  return [
    typeof $ref === 'string' ? target($ref, root) : undefined,
    ...all,
    conditional(schema, root, value),
    ...dependent.flatMap(([name, part]) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? [part] : [],
    ),
  ].filter(isJsonObject);
}

function conditional(
  { if: condition, then: yes, else: no }: JsonObject,
  root: JsonObject,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (condition === undefined || value === undefined) return undefined;
  return fits(condition, root, value) ? yes : no;
}

/** Whether a value fits a schema within another one. A schema with too much to judge fits nothing. */
export function fits(schema: JsonValue, root: JsonObject, value: JsonValue): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const { $defs, definitions } = root;
  const whole = { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema };
  return judgeBySchema(whole, value, 'value').ok;
}

/** The target of a `$ref`: a place within the same schema. */
function target(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/** Merges two schemas of one value; undefined where that is impossible. */
export function merged(outer: JsonObject, inner: JsonObject): JsonObject | undefined {
  const all: Record<string, JsonValue> = { ...outer };
  for (const [name, value] of Object.entries(inner)) {
    const first = all[name];
    const both = first === undefined ? value : joined(name, first, value);
    if (both === undefined) return undefined;
    all[name] = both;
  }
  return all;
}

function joined(name: string, one: JsonValue, other: JsonValue): JsonValue | undefined {
  if (SAYING.includes(name) || jsonEqual(one, other)) return one;
  if (typeof one === 'number' && typeof other === 'number') {
    if (LEAST.includes(name)) return Math.max(one, other);
    if (MOST.includes(name)) return Math.min(one, other);
  }
  if (name === 'properties' && isJsonObject(one) && isJsonObject(other)) {
    return joinedProperties(one, other);
  }
  if (name === 'required') return [...new Set([...listed(one), ...listed(other)])];
  if (name === 'type') {
    const types = listed(one).filter((type) => listed(other).includes(type));
    return types.length === 0 ? undefined : types;
  }
  if (name === 'enum') {
    return listed(one).filter((value) => listed(other).some((each) => jsonEqual(each, value)));
  }
  return undefined;
}

function joinedProperties(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, inner]) => {
    const outer = Object.hasOwn(one, name) ? one[name] : undefined;
    return [name, outer === undefined ? inner : { allOf: [outer, inner] }] as const;
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** Reads a keyword that allows one value or a list of them. */
export function listed(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}
