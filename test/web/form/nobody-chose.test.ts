import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Entered, Field } from '../../../web/src/form/field.js';
import { formOf } from '../../../web/src/form/judged.js';

/** Values that only a schema lists, only a default has, and only somebody enters. */
const LISTED = ['listed 1', 'listed 2', 'listed 3', true, 7];
const DEFAULTS = ['default 1', 'default 2', 8];
const TYPED = ['typed 1', '9'];

const listed = fc.constantFrom<JsonValue>(...LISTED);
const branch = listed.map((value) => ({
  const: value,
  title: `Title of ${JSON.stringify(value)}`,
}));
const text = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: ['string', 'null'] },
  {},
  { type: 'object' },
);
const number = fc.constantFrom<JsonObject>(
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
);
const choice = fc.oneof(
  fc.uniqueArray(listed, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.array(branch, { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
  fc.array(branch, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  fc.constant({
    type: 'boolean',
    oneOf: [
      { const: true, title: 'On' },
      { const: false, title: 'Off' },
    ],
  }),
  listed.map((value) => ({ const: value })),
);
const leaf: fc.Arbitrary<JsonObject> = fc.oneof(text, number, choice);
const withDefault = fc.oneof(
  leaf,
  fc
    .tuple(leaf, fc.constantFrom<JsonValue>(...DEFAULTS))
    .map(([schema, one]) => ({ ...schema, default: one })),
);

const { schema: anySchema, whole } = fc.letrec<{ schema: JsonObject; whole: JsonObject }>((tie) => {
  const inner = tie('schema');
  const group = fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner, { maxKeys: 3 }),
      fc.subarray(['a', 'b', 'c']),
    )
    .map(([properties, required]) => ({ type: 'object', properties, required }));
  const list = fc
    .tuple(fc.array(inner, { minLength: 1, maxLength: 2 }), fc.nat(2))
    .map(([prefixItems, minItems]) => ({ type: 'array', prefixItems, minItems }));
  return {
    // Without a default of its own, whatever is within.
    whole: fc.oneof(group, list),
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      withDefault,
      group,
      fc
        .tuple(inner, fc.nat(2), fc.boolean())
        .map(([items, minItems, uniqueItems]) => ({ type: 'array', items, minItems, uniqueItems })),
      list,
      fc.array(fc.oneof(inner, branch), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      fc.array(fc.oneof(inner, branch), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.tuple(group, inner).map(([one, other]) => ({ allOf: [one, other] })),
      fc
        .tuple(group, inner, inner)
        .map(([one, then, other]) => ({ ...one, if: { required: ['a'] }, then, else: other })),
      inner.map((additionalProperties) => ({ type: 'object', additionalProperties })),
    ),
  };
});

/** All values within a value that are no lists and no objects. */
function leavesOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value as JsonObject).flatMap(leavesOf);
}

function defaultsIn(schema: JsonValue): readonly JsonValue[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Array.isArray(schema) ? undefined : (schema as JsonObject)['default'];
  return [...leavesOf(own), ...Object.values(schema as JsonObject).flatMap(defaultsIn)];
}

/** What somebody could do to a field, and what they say by it. */
interface Act {
  readonly entered: Entered | undefined;
  readonly says: readonly JsonValue[];
}
type Choose = (below: number) => number;

function actOn(field: Field, choose: Choose): Act {
  const { entered } = field;
  const kept = { entered, says: [] };
  if (choose(3) === 0) return kept;
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'json': {
      const typed = TYPED[choose(TYPED.length)] ?? '';
      return { entered: typed, says: [typed, Number(typed)] };
    }
    case 'tick':
      return { entered: true, says: [true] };
    case 'choice': {
      const { value } = field.options[choose(field.options.length)] ?? { value: null };
      return { entered: { chosen: value }, says: [value] };
    }
    case 'several':
      return { entered: { several: [] }, says: [] };
    case 'list':
      return actInList(field, choose);
    case 'group':
      return actInGroup(field, choose);
    case 'union':
      return actInUnion(field, choose);
    case 'fixed':
      return kept;
  }
}

function actInList(field: Extract<Field, { kind: 'list' }>, choose: Choose): Act {
  const acts = field.items.map((item) => actOn(item, choose));
  const entries = acts.map(({ entered: inner }) => (inner === undefined ? {} : { inner }));
  return { entered: { entries: [...entries, {}] }, says: acts.flatMap(({ says }) => says) };
}

function actInUnion(field: Extract<Field, { kind: 'union' }>, choose: Choose): Act {
  const at = choose(field.labels.length);
  if (field.branch !== at || !field.inner) return { entered: { branch: at }, says: [] };
  const inner = actOn(field.inner, choose);
  return {
    entered: { branch: at, ...(inner.entered !== undefined && { inner: inner.entered }) },
    says: inner.says,
  };
}

function actInGroup({ members }: Extract<Field, { kind: 'group' }>, choose: Choose): Act {
  const acts = members.map(([name, member]) => [name, actOn(member, choose)] as const);
  const parts = acts.flatMap(([name, { entered }]) =>
    entered === undefined ? [] : [[name, entered] as const],
  );
  return { entered: { of: Object.fromEntries(parts) }, says: acts.flatMap(([, { says }]) => says) };
}

/** The constants that come with branches which somebody chose. */
function fixedIn(field: Field): readonly JsonValue[] {
  switch (field.kind) {
    case 'fixed':
      return [field.value];
    case 'union':
      return field.inner ? fixedIn(field.inner) : [];
    case 'list':
      return field.items.flatMap(fixedIn);
    case 'group':
      return field.members.flatMap(([, member]) => fixedIn(member));
    default:
      return [];
  }
}

const nothingElse = (sent: JsonValue | undefined, ...from: readonly (readonly JsonValue[])[]) => {
  const known = from.flat();
  assert.deepEqual(
    leavesOf(sent).filter((one) => !known.includes(one)),
    [],
  );
};

describe('a form', () => {
  it('says nothing by itself but the defaults of its schema', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const { value, field } = formOf(schema, undefined);
        assert.deepEqual(fixedIn(field), []);
        nothingElse(value, defaultsIn(schema));
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves out what is optional and was not touched, whatever is within', () => {
    fc.assert(
      fc.property(whole, (optional) => {
        const schema = { type: 'object', properties: { optional } };
        const { value, faults } = formOf(schema, undefined);
        assert.deepEqual({ value, faults }, { value: {}, faults: [] });
      }),
      { numRuns: 1_000 },
    );
  });

  it('says nothing but what somebody entered, defaults, and what a chosen branch says', () => {
    let chosen = 0;
    fc.assert(
      fc.property(anySchema, fc.infiniteStream(fc.nat(1_000)), (schema, stream) => {
        const choose: Choose = (below) => (below === 0 ? 0 : Number(stream.next().value) % below);
        let entered: Entered | undefined;
        const said: JsonValue[] = [];
        for (let round = 0; round < 4; round += 1) {
          const { field } = formOf(schema, entered);
          const act = actOn(field, choose);
          said.push(...act.says);
          entered = act.entered;
        }
        const { field, value } = formOf(schema, entered);
        nothingElse(value, defaultsIn(schema), said, fixedIn(field));
        chosen += leavesOf(value).filter((one) => LISTED.includes(one as string)).length;
      }),
      { numRuns: 500 },
    );
    assert.ok(chosen > 100, String(chosen));
  });
});
