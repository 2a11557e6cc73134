import { Ajv2020 } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { faultsBySchema, judgeBySchema } from '../../../domain/schema/judge.js';
import { granted, refused } from '../samples.js';

const TRANSFER: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'number', maximum: 5_000 },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    'a/b': { enum: ['x', 'y'] },
  },
  required: ['amount'],
  additionalProperties: false,
  $defs: { line: { type: 'object', properties: { tag: { type: 'string', pattern: '^[A-Z]+$' } } } },
};

function faultOf(schema: JsonObject, value: JsonValue) {
  granted(checkSchema(schema));
  return refused(judgeBySchema(schema, value, 'data'));
}

describe('data judged by a schema [JC-42]', () => {
  it('pass where they fit, and leave the schema as it was', () => {
    const before = structuredClone(TRANSFER);
    granted(judgeBySchema(TRANSFER, { amount: 4_500, lines: [{ tag: 'A' }] }, 'value'));
    assert.deepEqual(TRANSFER, before);
    assert.deepEqual(Object.getOwnPropertyNames(TRANSFER), Object.keys(TRANSFER));
  });

  for (const [what, value, field] of [
    ['a number that is too large', { amount: 5_001 }, 'data.amount'],
    ['a property that is missing', {}, 'data'],
    ['a property too many', { amount: 1, more: 1 }, 'data.more'],
    ['a text in a list', { amount: 1, lines: [{}, { tag: 'b' }] }, 'data.lines[1].tag'],
    ['a name with a slash', { amount: 1, 'a/b': 'z' }, 'data["a/b"]'],
    ['another type', 'text', 'data'],
    ['a name that objects inherit', { amount: 1, constructor: 1 }, 'data.constructor'],
  ] as const) {
    it(`fail for ${what}, which is named`, () => {
      const { code, field: at, detail } = faultOf(TRANSFER, value);
      assert.deepEqual([code, at], ['invalid_value', field]);
      assert.ok(detail.startsWith(`${field} does not fit: `));
    });
  }

  it('are no larger and no deeper than can be judged', () => {
    const list = (length: number) => Array.from({ length }, () => 0);
    granted(judgeBySchema({}, list(LIMITS.schemaValues - 1), 'value'));
    assert.equal(faultOf({}, list(LIMITS.schemaValues)).field, 'data');
    let deep: JsonValue = 0;
    for (let level = 0; level <= LIMITS.schemaDepth; level += 1) deep = [deep];
    assert.equal(faultOf({ uniqueItems: true }, deep).code, 'invalid_value');
    assert.equal(faultOf({}, { '\udc00': 1 }).code, 'invalid_value');
  });

  it('are judged in short time by the slowest schema for the largest value', () => {
    const words = Array.from({ length: 25 }, (_, nth) => `word-${nth}`.padEnd(16, '.'));
    const contains = { contains: { enum: words } };
    const schema = { allOf: Array.from({ length: 20 }, () => contains) };
    granted(checkSchema(schema));
    const values = Array.from({ length: LIMITS.schemaValues - 1 }, (_, nth) => nth);
    const started = process.cpuUsage();
    assert.equal(faultOf(schema, values).code, 'invalid_value');
    const { user } = process.cpuUsage(started);
    assert.ok(user < 2_000_000, `${user} µs`);
  });

  for (const [schema, fitting, failing] of [
    [{ contains: { type: 'string' } }, [1, 'a'], [1]],
    [{ contains: { type: 'string' }, minContains: 2 }, ['a', 'b'], ['a', 1]],
    [{ contains: { type: 'string' }, minContains: 0, maxContains: 1 }, [], ['a', 'b']],
    [{ items: { contains: { type: 'string' } } }, [['a'], [1, 'b']], [['a'], []]],
  ] as const) {
    it(`are judged by how many of a list fit: ${JSON.stringify(schema)}`, () => {
      granted(checkSchema(schema));
      granted(judgeBySchema(schema, fitting, 'value'));
      assert.equal(faultOf(schema, failing).code, 'invalid_value');
    });
  }

  // Without `contains`: of a list of lists, Ajv passes an empty one that follows one that fits.
  it('are judged as another implementation does', () => {
    const scalar = fc.constantFrom<JsonValue>(0, 1, 1.5, -3, '', 'a', 'ab', true, false, null);
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'isPrototypeOf'), tie('value'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    })).value;
    const leaf = fc.oneof(
      fc.record({ type: fc.constantFrom('integer', 'string', 'array', 'object', 'null') }),
      fc.record({ const: value }),
      fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
      fc.record({ minimum: fc.constantFrom(0, 1) }),
      fc.record({ maxLength: fc.nat(2) }),
      fc.record({ required: fc.constantFrom(['a'], ['b', 'isPrototypeOf']) }),
      fc.record({ uniqueItems: fc.boolean() }),
      fc.record({ pattern: fc.constantFrom('^a', '^b*$') }),
    );
    const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf as fc.Arbitrary<JsonObject>,
        fc.record({ not: tie('schema') }),
        fc.record({ items: tie('schema'), minItems: fc.nat(2) }),
        fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
        fc.record({
          properties: fc.record({ a: tie('schema'), isPrototypeOf: tie('schema') }),
          additionalProperties: fc.boolean(),
        }),
        fc.record({ $ref: fc.constant('#/$defs/text'), maxLength: fc.constant(1) }),
      ),
    })).schema;
    // Each schema is used once: code that is made fast is better than fast code.
    const code = { optimize: false };
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, code });
    fc.assert(
      fc.property(schemas, value, (inner, judged) => {
        const schema = { ...inner, $defs: { text: { type: 'string' } } };
        granted(checkSchema(schema));
        const fits = ajv.validate(schema, judged);
        ajv.removeSchema(schema);
        assert.equal(judgeBySchema(schema, judged, 'value').ok, fits);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('the faults that a form marks', () => {
  it('are all parts that do not fit, each at its own path, and leave the schema as it was', () => {
    const before = structuredClone(TRANSFER);
    const value = { lines: [{ tag: 'a' }, {}, { tag: 1 }], 'a/b': 'z', more: 1 };
    const faults = faultsBySchema(TRANSFER, value).map(({ path, keyword }) => [path, keyword]);
    assert.deepEqual(faults, [
      [['amount'], 'required'],
      [['lines', '0', 'tag'], 'pattern'],
      [['lines', '2', 'tag'], 'type'],
      [['a/b'], 'enum'],
      [['more'], 'false'],
    ]);
    assert.deepEqual(TRANSFER, before);
  });

  it('say in words what is missing and what is too much', () => {
    const details = faultsBySchema(TRANSFER, { more: 1 }).map(({ detail }) => detail);
    assert.deepEqual(details, ['Required.', 'Nothing is allowed here.']);
  });

  it('are none exactly where the value passes', () => {
    for (const value of [{ amount: 4_500 }, { amount: 4_500, lines: [{ tag: 'A' }] }]) {
      assert.deepEqual(faultsBySchema(TRANSFER, value), []);
      granted(judgeBySchema(TRANSFER, value, 'value'));
    }
  });
});
