import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { saysNothing, takesAnything } from '../../../domain/schema/anything.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { isLinearPattern } from '../../../domain/schema/pattern.js';
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

const TEXT: JsonObject = { type: 'string' };
const ALL: JsonObject = { title: 'all' };

const FITS_ALL: readonly JsonObject[] = [
  {},
  { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'x', examples: [1] },
  { deprecated: true, readOnly: true, writeOnly: true, description: 'x', default: 1 },
  { items: {}, additionalProperties: true, unevaluatedItems: {}, unevaluatedProperties: {} },
  { propertyNames: ALL, minLength: 0, minItems: 0, minProperties: 0, required: [] },
  { allOf: [ALL, true], anyOf: [TEXT, true], oneOf: [ALL] },
  { prefixItems: [ALL], properties: { a: {} }, patternProperties: { '^a': true } },
  { $ref: '#/$defs/a', $defs: { a: ALL } },
];
const FITS_SOME: readonly JsonObject[] = [
  TEXT,
  { items: TEXT },
  { minLength: 1 },
  { allOf: [ALL, TEXT] },
  { anyOf: [TEXT, { type: 'number' }] },
  { oneOf: [ALL, ALL] },
  { oneOf: [TEXT] },
  { prefixItems: [ALL, false] },
  { properties: { a: ALL, b: TEXT } },
  { patternProperties: { '^a': TEXT } },
  { required: ['a'] },
  { $ref: '#/$defs/a', $defs: { a: TEXT } },
];

describe('a schema', () => {
  for (const [schemas, fits] of [
    [FITS_ALL, true],
    [FITS_SOME, false],
  ] as const) {
    for (const schema of schemas) {
      it(`${fits ? 'fits' : 'does not fit'} any value: ${JSON.stringify(schema)}`, () => {
        granted(checkSchema(schema));
        assert.equal(takesAnything(schema, schema), fits);
      });
    }
  }

  it('of one word fits any value, or none', () => {
    const found = ([true, false, undefined] as (JsonValue | undefined)[]).map((schema) =>
      takesAnything(schema, {}),
    );
    assert.deepEqual(found, [true, false, false]);
  });

  it('says something where it names a part, wherever that is', () => {
    for (const parts of [
      { properties: { a: {} } },
      { patternProperties: { '^a': {} } },
      { prefixItems: [{}] },
    ]) {
      for (const schema of [
        parts,
        { allOf: [ALL, parts] },
        { anyOf: [ALL, parts] },
        { oneOf: [parts] },
        { $ref: '#/$defs/a', $defs: { a: parts } },
      ] as JsonObject[]) {
        assert.equal(saysNothing(schema), false, JSON.stringify(schema));
      }
    }
    assert.equal(saysNothing(ALL), true);
    assert.equal(saysNothing({ properties: {} }), true);
  });
});

describe('a pattern in a schema', () => {
  for (const pattern of [
    '^[A-Z]{2}-\\d{4,8}$',
    '^[a-z]+@[a-z-]+\\.com$',
    '^a*b?c*$',
    '^\\S+ \\S+$',
    '^[^,]*,[^,]*$',
    '^\\u0041\\t.{0,10}$',
    '^é+😀$',
    '^\\uD83D\\uDE00*b$',
    '^\\u{1F600}*\\u{61}$',
    '^[\\x61-\\u{63}]*[d-e]$',
    '^[\\uD83D\\uDE00-\\uD83D\\uDE4F]*a$',
    '^ok',
    '^',
  ]) {
    it(`${pattern} is taken`, () => assert.ok(isLinearPattern(pattern)));
  }

  for (const [pattern, why] of [
    ['^(a+)+$', 'repeats what repeats'],
    ['^(a|a)*$', 'has two ways to go on'],
    ['a+$', 'begins anywhere'],
    ['^a*a*$', 'repeats the same twice'],
    ['^a*b?a*$', 'repeats the same behind what is optional'],
    ['^\\w+\\d+$', 'repeats a class and one within it'],
    ['^[a-f]+[d-k]{2,3}$', 'repeats ranges that overlap'],
    ['^.*x$', 'repeats what includes the next'],
    ['^\\S*[^x]$', 'repeats a complement that overlaps'],
    ['^a+?$', 'is lazy'],
    ['^(?=a)a$', 'looks ahead'],
    ['^a$b', 'goes on behind its end'],
    ['^[z-a]$', 'is none'],
    ['^\\p{L}+$', 'names a property'],
    ['^\\bx$', 'has a boundary'],
    ['^a|b$', 'has an alternative'],
    ['^(\\uD83D\\uDE00*😀*){12}$', 'repeats a group'],
    [`^${'\\uD83D\\uDE00*😀*'.repeat(12)}$`, 'repeats one pair in two spellings'],
    ['^[\\uD83D\\uDE00]*😀$', 'repeats a class with that pair'],
    ['^[\\u{61}]*a*$', 'repeats a code point and its letter'],
    ['^\\u{0061}*a$', 'repeats a code point with zeros'],
    ['^\\x61*a$', 'repeats a number of two digits'],
    ['^\\uD83D*b$', 'names half of a pair'],
    ['^\\uD83D\\u{DE00}*b$', 'names two halves that make no pair'],
    ['^\ud83d*\\uDE00$', 'has half of a pair'],
    ['^\\cA*\\u0001$', 'names a control character by its letter'],
    ['^\\0*\\u0000$', 'names a character by its number'],
    [`^${'a'.repeat(LIMITS.patternCharacters)}`, 'is too long'],
  ] as const) {
    it(`${pattern.slice(0, 30)} is refused: it ${why}`, () => {
      assert.ok(!isLinearPattern(pattern));
    });
  }

  it('is read as the engine reads it: a class never overlaps with what follows it', () => {
    const points = [
      0, 1, 8, 9, 10, 13, 31, 32, 45, 47, 48, 57, 65, 90, 92, 94, 95, 97, 98, 99, 122, 123, 160,
      255, 256, 0x2028, 0x202f, 0x4e00, 0xd83d, 0xde00, 0xfeff, 0xffff, 0x1_0000, 0x1_f600,
      0x1_f601, 0x1_f64f, 0x10_ffff,
    ];
    const texts = points.map((point) => String.fromCodePoint(point));
    const single = fc.constantFrom(
      'a',
      'b',
      '\\x61',
      '\\u0062',
      '\\u{63}',
      '\\u{000061}',
      '😀',
      '\\uD83D\\uDE00',
      '\\ud83d\\ude01',
      '\\u{1f600}',
      '\\t',
      '\\n',
      '\\/',
      '\\-',
      '\\]',
      '\\^',
      '0',
      '\\x30',
      '\\u{10ffff}',
      '\\uFFFF',
      '\\.',
    );
    const class_ = fc.constantFrom('\\d', '\\D', '\\w', '\\W', '\\s', '\\S');
    const range = fc.tuple(single, single).map(([first, last]) => `${first}-${last}`);
    const members = fc.array(fc.oneof(single, class_, range), { minLength: 1, maxLength: 4 });
    const set = fc
      .tuple(fc.constantFrom('', '^'), members)
      .map(([not, all]) => `[${not}${all.join('')}]`);
    const atom = fc.oneof(single, class_, set, fc.constant('.'));
    let taken = 0;
    fc.assert(
      fc.property(atom, atom, (repeated, next) => {
        if (!isLinearPattern(`^${repeated}*${next}$`)) return;
        taken += 1;
        const [first, second] = [repeated, next].map((one) => new RegExp(`^${one}$`, 'u'));
        const both = texts.filter((text) => first?.test(text) && second?.test(text));
        assert.deepEqual(both, []);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(taken > 300, `only ${taken} were taken`);
  });

  it('takes no long time for any text, if it is taken', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '.',
      '1',
      '[a-c1]',
      '\\u{61}',
      '[\\u{61}]',
      '\\uD83D\\uDE00',
      '😀',
      '[\\uD83D\\uDE00]',
      '\\x61',
    );
    const times = fc.constantFrom('', '*', '+', '?', '{1,9}', '{2}');
    const part = fc.tuple(atom, times).map((both) => both.join(''));
    const patterns = fc
      .array(part, { minLength: 1, maxLength: 8 })
      .map((all) => `^${all.join('')}$`);
    const text = fc.constantFrom('a', 'b', '1', 'ab', 'a1', '😀');
    let taken = 0;
    fc.assert(
      fc.property(patterns, text, (pattern, unit) => {
        if (!isLinearPattern(pattern)) return;
        taken += 1;
        const started = process.cpuUsage();
        new RegExp(pattern, 'u').test(`${unit.repeat(20_000)}!`);
        const { user } = process.cpuUsage(started);
        assert.ok(user < 500_000, `${pattern} took ${user} µs`);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(taken > 100, `only ${taken} were taken`);
  });
});
