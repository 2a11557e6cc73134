import { Ajv2020 } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { granted, refused } from '../samples.js';

/** Schemas for data that a person gives, with each keyword that is known. */
const TAKEN: readonly JsonObject[] = [
  {},
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'a transfer',
    title: 'Transfer',
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: 0, exclusiveMaximum: 5_000, multipleOf: 0.01 },
      reason: { type: ['string', 'null'], minLength: 1, maxLength: 200, default: null },
      account: { type: 'string', pattern: '^[A-Z]{2}\\d{10,20}$' },
      on: { type: 'string', format: 'date', examples: ['2026-11-24'] },
      lines: { type: 'array', items: { $ref: '#/$defs/line' }, minItems: 1, uniqueItems: true },
      __proto: false,
    },
    required: ['amount'],
    additionalProperties: false,
    dependentRequired: { reason: ['account'] },
    if: { required: ['reason'] },
    then: { minProperties: 2 },
    else: { maxProperties: 3 },
    $defs: {
      line: { anyOf: [{ $ref: '#/$defs/text' }, { const: 0 }, { enum: [1, 'one'] }] },
      text: { type: 'string' },
    },
  },
  { prefixItems: [true, { not: {} }], unevaluatedItems: false, contains: {}, minContains: 0 },
  { patternProperties: { '^x-': { type: 'string' } }, propertyNames: { maxLength: 9 } },
  { allOf: [{ dependentSchemas: { a: { required: ['b'] } } }], unevaluatedProperties: false },
  { oneOf: [{ type: 'integer' }, { readOnly: true, deprecated: false }], maxContains: 2 },
];

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { items: nested(levels - 1) });

/** Definitions of which each names the one before twice. */
function doubling(count: number): JsonObject {
  const defs = Array.from({ length: count }, (_, nth) => {
    const before = { $ref: `#/$defs/d${nth - 1}` };
    return [`d${nth}`, nth === 0 ? { type: 'null' } : { allOf: [before, before] }] as const;
  });
  return { $ref: `#/$defs/d${count - 1}`, $defs: Object.fromEntries(defs) };
}

describe('a response schema [JC-15]', () => {
  for (const [nth, schema] of TAKEN.entries()) {
    it(`is taken as the standard has it (${nth + 1})`, () => {
      granted(checkSchema(schema));
      assert.ok(new Ajv2020({ strict: false, validateFormats: false }).validateSchema(schema));
    });
  }

  const REFUSED: readonly (readonly [string, JsonObject, string])[] = [
    ['of another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema'],
    [
      'with a keyword that is unknown',
      { properties: { a: { requird: [] } } },
      'properties.a.requird',
    ],
    ['with a name of its own', { $id: 'https://example.com/s' }, '$id'],
    ['with a remote reference', { items: { $ref: 'https://example.com/s' } }, 'items.$ref'],
    ['with a reference to nothing', { $ref: '#/$defs/a' }, '$ref'],
    ['with a reference to what all objects have', { $ref: '#/$defs/toString', $defs: {} }, '$ref'],
    ['with a reference to a place', { $ref: '#/properties/a', properties: { a: {} } }, '$ref'],
    ['with a dynamic reference', { $dynamicRef: '#a' }, '$dynamicRef'],
    [
      'that contains itself',
      { $defs: { a: { items: { $ref: '#/$defs/a' } } } },
      '$defs.a.items.$ref',
    ],
    ['with definitions within', { not: { $defs: {} } }, 'not.$defs'],
    ['with a type that is none', { allOf: [{ type: 'text' }] }, 'allOf[0].type'],
    ['with an empty choice', { anyOf: [] }, 'anyOf'],
    ['with no choice at all', { enum: [] }, 'enum'],
    ['with a count below 0', { minLength: -1 }, 'minLength'],
    ['with a divisor of 0', { multipleOf: 0 }, 'multipleOf'],
    ['with a bound that is a text', { maximum: '5' }, 'maximum'],
    ['with a name needed twice', { required: ['a', 'a'] }, 'required'],
    ['with properties that are none', { properties: [] }, 'properties'],
    ['with a property that is no schema', { properties: { 'a b': 1 } }, 'properties["a b"]'],
    ['with items of an older dialect', { items: [{}] }, 'items'],
    ['with a format that nothing judges', { format: 'url' }, 'format'],
    ['with a slow pattern', { properties: { a: { pattern: '^(a+)+$' } } }, 'properties.a.pattern'],
    [
      'with a slow pattern of names',
      { patternProperties: { 'a+$': {} } },
      'patternProperties["a+$"]',
    ],
    ['with half a letter', { properties: { '\ud800': {} } }, 'properties'],
  ];
  for (const [what, schema, path] of REFUSED) {
    it(`${what} is refused, and the place named`, () => {
      const { code, field, accepted } = refused(checkSchema(schema));
      assert.deepEqual([code, field], ['invalid_response_schema', `response_schema.${path}`]);
      assert.ok(accepted);
    });
  }

  it('is nested no deeper than it may be', () => {
    granted(checkSchema(nested(LIMITS.schemaDepth)));
    const { code, field } = refused(checkSchema(nested(LIMITS.schemaDepth + 1)));
    assert.equal(code, 'invalid_response_schema');
    assert.match(field ?? '', /^response_schema\.items\.items/);
  });

  it('is nested no deeper with what its references name', () => {
    const not = (levels: number, inner: JsonObject): JsonObject =>
      levels === 0 ? inner : { not: not(levels - 1, inner) };
    const chained = (levels: number): JsonObject => ({
      ...not(20, { $ref: '#/$defs/a' }),
      $defs: { a: not(20, { $ref: '#/$defs/b' }), b: not(levels, {}) },
    });
    granted(checkSchema(chained(LIMITS.schemaExpandedDepth - 44)));
    const { code, accepted } = refused(checkSchema(chained(LIMITS.schemaExpandedDepth - 41)));
    assert.equal(code, 'invalid_response_schema');
    assert.match(accepted ?? '', /with what each \$ref names/);
  });

  it('is no larger than it may be', () => {
    const fits = LIMITS.schemaBytes - '{"title":""}'.length;
    granted(checkSchema({ title: 'x'.repeat(fits) }));
    const { field } = refused(checkSchema({ title: 'x'.repeat(fits + 1) }));
    assert.equal(field, 'response_schema');
  });

  it('is counted with what its references name', () => {
    granted(checkSchema(doubling(5)));
    assert.equal(refused(checkSchema(doubling(40))).field, 'response_schema');
  });
});
