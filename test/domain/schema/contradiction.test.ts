import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { Contradictions } from '../../../domain/schema/contradiction.js';
import { judgeBySchema } from '../../../domain/schema/judge.js';
import { leastCpuMs } from '../../support/cpu-time.js';
import { granted } from '../samples.js';

function found(schema: JsonObject) {
  granted(checkSchema(schema));
  return new Contradictions(schema).in(schema);
}

const required = (inner: JsonValue): JsonObject => ({
  type: 'object',
  properties: { a: inner },
  required: ['a'],
});

/** Schemas that no value fits, each with the place that is named. */
const IMPOSSIBLE: readonly (readonly [JsonObject, string])[] = [
  [{ not: {} }, 'not'],
  [{ not: true }, 'not'],
  [{ not: { title: 'all' } }, 'not'],
  [{ not: { not: { not: {} } } }, 'not'],
  [{ not: { anyOf: [{ type: 'string' }, true] } }, 'not'],
  [{ not: { properties: { a: {} }, minItems: 0 } }, 'not'],
  [{ type: 'string', not: { allOf: [{}] } }, 'not'],
  [{ allOf: [false] }, 'allOf.0'],
  [{ allOf: [{ type: 'string' }, { not: {} }] }, 'allOf.1.not'],
  [{ anyOf: [false, { not: {} }] }, 'anyOf.0'],
  [{ oneOf: [false] }, ''],
  [{ $ref: '#/$defs/a', $defs: { a: false } }, '$ref'],
  [{ if: true, then: false }, 'then'],
  [{ if: { type: 'string' }, then: false, else: false }, 'then'],
  [{ type: 'string', maxLength: 0, minLength: 1 }, 'minLength'],
  [{ type: 'string', allOf: [{ minLength: 5 }, { maxLength: 4 }] }, 'minLength'],
  [{ type: ['string', 'number'], maxLength: 0, minLength: 1, minimum: 2, maximum: 1 }, 'minLength'],
  [{ type: 'number', minimum: 2, maximum: 1 }, 'minimum'],
  [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }, 'exclusiveMinimum'],
  [{ type: 'number', minimum: 1, exclusiveMaximum: 1 }, 'minimum'],
  [{ type: 'integer', minimum: 0.1, maximum: 0.9 }, 'minimum'],
  [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 'exclusiveMinimum'],
  [{ type: 'number', multipleOf: 10, minimum: 11, maximum: 19 }, 'minimum'],
  [{ type: 'array', minItems: 2, maxItems: 1 }, 'minItems'],
  [{ type: 'array', minItems: 1, items: false }, 'items'],
  [
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 2, maxLength: 1 } },
    'items.minLength',
  ],
  [{ type: 'array', prefixItems: [false], minItems: 1 }, 'prefixItems.0'],
  [{ type: 'array', contains: false }, 'contains'],
  [{ type: 'array', contains: {}, minContains: 3, maxContains: 2 }, 'minContains'],
  [{ type: 'array', contains: {}, minContains: 3, maxItems: 2 }, 'contains'],
  [{ type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b'] } }, 'minItems'],
  [{ type: 'object', minProperties: 2, maxProperties: 1 }, 'minProperties'],
  [{ type: 'object', required: ['a', 'b'], maxProperties: 1 }, 'required'],
  [
    { type: 'object', required: ['a'], dependentRequired: { a: ['b'] }, maxProperties: 1 },
    'required',
  ],
  [required(false), 'properties.a'],
  [required({ not: {} }), 'properties.a.not'],
  [
    required(required({ type: 'string', minLength: 2, maxLength: 1 })),
    'properties.a.properties.a.minLength',
  ],
  [{ type: 'object', required: ['a'], additionalProperties: false }, 'additionalProperties'],
  [{ type: 'object', required: ['a'], patternProperties: { '^a': false } }, 'patternProperties.^a'],
  [{ type: 'object', required: ['a'], propertyNames: { minLength: 2 } }, 'propertyNames'],
  [{ type: 'object', minProperties: 1, additionalProperties: false }, 'additionalProperties'],
  [{ type: 'string', enum: [1, 2] }, ''],
  [{ type: 'string', const: null }, ''],
  [{ enum: ['a'], minLength: 2 }, ''],
  [{ allOf: [{ const: 1 }, { const: 2 }] }, ''],
  [{ enum: ['a'], not: { enum: ['a', 'b'] } }, ''],
  [{ type: 'boolean', not: { enum: [true, false] } }, ''],
  [{ type: 'string', allOf: [{ type: 'number' }] }, ''],
  [{ type: 'string', not: { type: ['string', 'null'] } }, ''],
  [{ type: 'string', anyOf: [{ const: 1 }, { const: 2 }] }, ''],
  [{ type: 'string', anyOf: [{ type: 'number' }, { type: 'object' }] }, 'anyOf.0'],
  [
    { minLength: 3, type: 'string', oneOf: [{ maxLength: 2 }, { maxLength: 1 }] },
    'oneOf.0.minLength',
  ],
];

/** Schemas that look alike, which some value fits. */
const POSSIBLE: readonly (readonly [JsonObject, JsonValue])[] = [
  [{}, 1],
  [{ not: { not: {} } }, 1],
  [{ not: { type: 'string' } }, 1],
  [{ not: { required: ['a'] } }, {}],
  [{ properties: { a: false } }, {}],
  [{ minLength: 2, maxLength: 1 }, 1],
  [{ type: ['string', 'null'], minLength: 2, maxLength: 1 }, null],
  [{ type: 'array', items: false }, []],
  [{ type: 'array', prefixItems: [{}, false], minItems: 1 }, [1]],
  [{ type: 'array', prefixItems: [{}], items: false, minItems: 1 }, [1]],
  [{ type: 'array', contains: false, minContains: 0 }, []],
  [{ type: 'array', contains: {}, maxItems: 2, allOf: [{ minContains: 5 }] }, [1]],
  [{ type: 'integer', minimum: 1, exclusiveMaximum: 2 }, 1],
  [{ type: 'integer', exclusiveMinimum: 0.5, maximum: 1 }, 1],
  [{ type: 'integer', exclusiveMinimum: 2 ** 60, maximum: 2 ** 60 + 1024 }, 2 ** 60 + 256],
  [{ type: 'number', multipleOf: 10, exclusiveMinimum: 10, maximum: 20 }, 20],
  [{ type: 'number', allOf: [{ type: 'integer' }], minimum: 1, maximum: 1 }, 1],
  [{ oneOf: [{ type: 'string' }, false] }, 'a'],
  [{ anyOf: [{ const: 1 }, { type: 'string' }], type: 'string' }, 'a'],
  [{ if: { type: 'string' }, then: false }, 1],
  [{ if: { required: ['a'] }, then: { minProperties: 9 }, maxProperties: 1, type: 'object' }, {}],
  [{ enum: ['a', 1], type: 'string' }, 'a'],
  [
    { type: 'object', required: ['a'], properties: { a: {} }, additionalProperties: false },
    { a: 1 },
  ],
  [
    {
      type: 'object',
      required: ['ab'],
      patternProperties: { '^a': {} },
      additionalProperties: false,
    },
    { ab: 1 },
  ],
  [
    { type: 'object', minProperties: 1, properties: { a: {} }, additionalProperties: false },
    { a: 1 },
  ],
  [{ dependentRequired: { a: ['b'] }, maxProperties: 1, type: 'object' }, { b: 1 }],
];

describe('a schema that no value fits', () => {
  for (const [schema, place] of IMPOSSIBLE) {
    it(`is found: ${JSON.stringify(schema)}`, () => {
      const contradiction = found(schema);
      assert.ok(contradiction);
      assert.equal(contradiction.path.join('.'), place);
      assert.match(contradiction.why, /\.$/);
    });
  }

  for (const [schema, value] of POSSIBLE) {
    it(`is not ${JSON.stringify(schema)}`, () => {
      granted(judgeBySchema(schema, value, 'value'));
      assert.equal(found(schema), undefined);
    });
  }

  it('is none that a generated value fits', () => {
    const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 2.5, '', 'a', 'bb');
    const { value, schema } = fc.letrec<{ value: JsonValue; schema: JsonValue }>((tie) => {
      const few = fc.nat(3);
      const inner = tie('schema');
      const parts = fc.array(inner, { minLength: 1, maxLength: 2 });
      const named = fc.dictionary(fc.constantFrom('a', 'b'), inner);
      const types = fc.constantFrom(
        'null',
        'boolean',
        'string',
        'number',
        'integer',
        'array',
        'object',
      );
      const keywords = {
        type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
        enum: fc.array(scalar, { minLength: 1, maxLength: 2 }),
        const: scalar,
        minLength: few,
        maxLength: few,
        minimum: few,
        maximum: few,
        exclusiveMinimum: few,
        exclusiveMaximum: few,
        multipleOf: fc.constantFrom(1, 2, 2.5),
        minItems: few,
        maxItems: few,
        uniqueItems: fc.boolean(),
        items: inner,
        prefixItems: parts,
        contains: inner,
        minContains: few,
        maxContains: few,
        minProperties: few,
        maxProperties: few,
        required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        properties: named,
        patternProperties: fc.dictionary(fc.constantFrom('^a', '^b'), inner),
        additionalProperties: inner,
        propertyNames: inner,
        dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['c'] }),
        allOf: parts,
        anyOf: parts,
        oneOf: parts,
        not: inner,
        if: inner,
        then: inner,
        else: inner,
      };
      const one = ([keyword, arbitrary]: readonly [string, fc.Arbitrary<unknown>]) =>
        arbitrary.map((made) => ({ [keyword]: made }));
      return {
        value: fc.oneof(
          { maxDepth: 2 },
          scalar,
          fc.array(tie('value'), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
        ),
        schema: fc.oneof(
          { maxDepth: 3 },
          fc.boolean(),
          fc
            .array(fc.oneof(...Object.entries(keywords).map(one)), { maxLength: 4 })
            .map((all) => Object.assign({}, ...all) as JsonObject),
        ),
      };
    });
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (made, values) => {
        if (typeof made !== 'object' || made === null || Array.isArray(made)) return;
        const contradiction = new Contradictions(made as JsonObject).in(made);
        if (contradiction === undefined) return;
        for (const one of [...values, null, true, 0, 1, 2, '', 'a', 'bb', [], {}, { a: 1 }, [1]]) {
          const judged = judgeBySchema(made as JsonObject, one, 'value');
          assert.ok(!judged.ok, `${JSON.stringify(contradiction)} fits ${JSON.stringify(one)}`);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes little time to look for, whatever is in it', () => {
    const deep = (depth: number): JsonObject =>
      depth === 0
        ? { type: 'string' }
        : { anyOf: [deep(depth - 1), deep(depth - 1)], allOf: [{ anyOf: [{}, { minLength: 1 }] }] };
    const wide = { enum: Array.from({ length: 2_500 }, (_, index) => index), type: 'string' };
    const names = Array.from({ length: 300 }, (_, index) => `name-${index}`);
    const flat = {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    };
    for (const schema of [deep(6), wide, flat] as JsonObject[]) {
      granted(checkSchema(schema));
      const ms = leastCpuMs(() => new Contradictions(schema).in(schema), 50);
      assert.ok(ms < 50, `${ms} ms`);
    }
  });
});
