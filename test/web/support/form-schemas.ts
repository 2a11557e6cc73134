import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';

/** Chooses a number below another one. */
export type Choose = (below: number) => number;

const LEAVES: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', minLength: 2 },
  { type: 'string', if: { const: 'long' }, then: { minLength: 4 }, else: { maxLength: 3 } },
  { type: 'string', if: { minLength: 3 }, then: { enum: ['abc', 'long'] } },
  { if: { type: 'string' }, then: { minLength: 3 }, else: { type: 'number' } },
  { type: 'number', if: { minimum: 5 }, then: { multipleOf: 5 } },
  { type: 'integer' },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: ['number', 'string', 'boolean'] },
  { enum: ['a', ' ', 3, null] },
  { type: 'integer', enum: [1, 2, 'x'] },
  { const: { k: 1 } },
  { oneOf: [{ const: 'a', title: ' ' }, { const: 'b' }] },
  { type: 'boolean', title: ' ', oneOf: [{ const: true, title: 'On' }, { const: false }] },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { not: { type: 'string' } },
  { type: 'object' },
  {},
];
const leaf = fc.constantFrom(...LEAVES);
const NAMES = ['a', 'b', 'c', ' '];
const names = fc.subarray(NAMES);

/** An object that may ask for names of which it says nothing more. */
function groupOf(inner: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const rest = fc.option(fc.oneof(inner, fc.constant(false)), { nil: undefined });
  return fc
    .record({
      properties: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), inner), {
        maxLength: 3,
        selector: ([name]) => name,
      }),
      required: names,
      rest,
      pattern: fc.option(inner, { nil: undefined }),
      dependent: fc.option(names, { nil: undefined }),
    })
    .map(({ properties, required, rest: other, pattern, dependent }) => ({
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      ...(other !== undefined && { additionalProperties: other }),
      ...(pattern && { patternProperties: { '^[bc]': pattern } }),
      ...(dependent && { dependentRequired: { a: dependent } }),
    }));
}

/** Small schemas of all kinds that a question may have. */
export const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const inner = tie('schema');
  const group = groupOf(inner);
  const list = fc
    .record(
      {
        items: fc.oneof(inner, fc.constant(false)),
        prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
        minItems: fc.nat(3),
        maxItems: fc.integer({ min: 2, max: 4 }),
      },
      { requiredKeys: [] },
    )
    .map((parts) => ({ type: 'array', ...parts }));
  const conditional = fc.tuple(group, names, inner, inner).map(([one, required, then, other]) => ({
    ...one,
    if: { required },
    then: { properties: { a: then }, required: ['a'] },
    else: { properties: { c: other } },
  }));
  const branches = fc.array(fc.oneof(inner, conditional), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      group,
      list,
      fc.constant({ type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } }),
      branches.map((oneOf) => ({ oneOf })),
      branches.map((anyOf) => ({ anyOf })),
      fc.tuple(group, branches).map(([one, oneOf]) => ({ ...one, oneOf })),
      fc.tuple(group, group).map((allOf) => ({ allOf })),
      conditional,
    ),
  };
});

const PLAIN = new Map<JsonValue | undefined, readonly JsonValue[]>([
  ['string', ['abc', 'long', 'x', 'xy']],
  ['number', [1.5, 10, 0.25]],
  ['integer', [0, 1, 2]],
  ['boolean', [true, false]],
  ['null', [null]],
  [undefined, ['abc', 7, [1], { k: null }]],
]);

function one<T>(of: readonly T[], choose: Choose): T | undefined {
  return of[choose(of.length)];
}

/** A value that may fit a schema. */
export function valueFor(schema: JsonValue | undefined, choose: Choose, depth = 0): JsonValue {
  const told = (typeof schema === 'object' ? schema : {}) as JsonObject;
  const { const: only, enum: values, type } = told;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return one(values as JsonValue[], choose) ?? null;
  const parts = partsOf(told, choose);
  if (type === undefined && parts.length > 0) return valueFor(parts[0], choose, depth + 1);
  const kind = one([type].flat(), choose);
  if (kind === 'array') return listFor(told, choose, depth);
  if (kind !== 'object') return one(PLAIN.get(kind) ?? [], choose) ?? null;
  const from = [told, ...parts].map((part) => objectFor(part, choose, depth));
  return Object.assign({}, ...from) as JsonObject;
}

/** One of the branches, and what a condition may add. */
function partsOf({ oneOf, anyOf, allOf, ...told }: JsonObject, choose: Choose) {
  const branch = one((oneOf ?? anyOf ?? allOf ?? []) as JsonObject[], choose);
  const more = choose(3) === 0 ? told['then'] : told['else'];
  return [branch, more].filter((part) => typeof part === 'object') as JsonObject[];
}

function listFor(
  { items, prefixItems, minItems = 0, uniqueItems }: JsonObject,
  choose: Choose,
  depth: number,
) {
  const first = (prefixItems ?? []) as readonly JsonValue[];
  // Where each of some values is there once, they stand in the order of the schema.
  if (uniqueItems === true && typeof items === 'object') {
    const { enum: values = [] } = items as JsonObject;
    return (values as JsonValue[]).filter(() => choose(2) === 0);
  }
  // What may follow the first ones has a field only where the schema says what it is, or wants more.
  const isOpen = first.length === 0 || (items !== undefined && items !== false);
  const least = Math.max(Number(minItems), isOpen ? 0 : first.length);
  const length = isOpen ? least + choose(3) : least;
  return Array.from({ length }, (_, at) => valueFor(first[at] ?? items, choose, depth + 1));
}

function objectFor(schema: JsonObject, choose: Choose, depth: number): JsonObject {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const needed = required as readonly string[];
  const own = properties as JsonObject;
  const all = [...new Set([...Object.keys(own), ...needed, ...(choose(4) === 0 ? ['c'] : [])])];
  const others = [additionalProperties, (patternProperties as JsonObject | undefined)?.['^[bc]']];
  return Object.fromEntries(
    all.flatMap((name) => {
      if (!needed.includes(name) && choose(2) === 0) return [];
      const known = Object.hasOwn(own, name) ? own[name] : others[choose(2)];
      return [[name, valueFor(known, choose, depth + 1)]];
    }),
  );
}
