import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { flatSchema, hasConditions } from '../../../domain/schema/flat.js';
import { optionsOf, withoutNull } from '../../../domain/schema/options.js';

const labels = (schema: JsonObject, root: JsonObject = {}) =>
  optionsOf(schema, root)?.map(({ value, label }) => [value, label]);

describe('the options of a schema', () => {
  it('are what it lists, by title or by value', () => {
    const branches = [{ const: 'a', title: 'First', description: 'The first' }, { const: 2 }];
    assert.deepEqual(labels({ enum: ['a', 1, null] }), [
      ['a', 'a'],
      [1, '1'],
      [null, 'None (null)'],
    ]);
    assert.deepEqual(optionsOf({ oneOf: branches }, {}), [
      { value: 'a', label: 'First', description: 'The first' },
      { value: 2, label: '2' },
    ]);
    assert.deepEqual(labels({ anyOf: [...branches, { enum: ['x', 'a'] }] }), [
      ['a', 'First'],
      [2, '2'],
      ['x', 'x'],
    ]);
    assert.deepEqual(labels({ const: 'yes', title: 'The field' }), [['yes', 'yes']]);
    assert.deepEqual(labels({ type: 'null' }), [[null, 'None (null)']]);
    assert.deepEqual(labels({ type: 'boolean' }), [
      [true, 'Yes'],
      [false, 'No'],
    ]);
  });

  it('are those of its type', () => {
    const oneOf = [{ const: true, title: 'Ship' }, { const: false, title: 'Hold' }, { const: 'x' }];
    assert.deepEqual(labels({ type: 'boolean', oneOf }), [
      [true, 'Ship'],
      [false, 'Hold'],
    ]);
    assert.deepEqual(labels({ type: 'integer', enum: [1, 1.5, '1'] }), [[1, '1']]);
    assert.deepEqual(labels({ type: ['array', 'object'], enum: [[1], { a: 1 }, 'a'] }), [
      [[1], '[1]'],
      [{ a: 1 }, '{"a":1}'],
    ]);
  });

  it('are found where a schema refers to them', () => {
    const root = { $defs: { 'a/b': { enum: ['a'] }, c: { $ref: '#/$defs/a~1b' } } };
    assert.deepEqual(labels({ $ref: '#/$defs/c' }, root), [['a', 'a']]);
    assert.deepEqual(labels({ allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }), [['b', 'b']]);
    assert.equal(labels({ $ref: '#/$defs/none' }, root), undefined);
    assert.equal(labels({ $ref: 'https://elsewhere.example' }, root), undefined);
  });

  it('have names that people can tell apart', () => {
    const oneOf = [
      { const: 'a', title: 'Same' },
      { const: 'b', title: 'Same' },
      { const: 'c', title: ' ' },
    ];
    assert.deepEqual(labels({ oneOf }), [
      ['a', 'Same ("a")'],
      ['b', 'Same ("b")'],
      ['c', '("c")'],
    ]);
    assert.deepEqual(labels({ enum: ['', 'x'] }), [
      ['', '("")'],
      ['x', 'x'],
    ]);
  });

  it('are none where more than listed values is asked for', () => {
    for (const schema of [
      { type: 'string' },
      {},
      { oneOf: [{ const: 'a' }, { type: 'string' }] },
      { anyOf: [{ const: 'a', minLength: 3 }] },
      { oneOf: [{ const: 'a' }], anyOf: [{ const: 'a' }] },
      { oneOf: [true] },
      { type: ['boolean', 'string'] },
    ] as JsonObject[]) {
      assert.equal(optionsOf(schema, {}), undefined, JSON.stringify(schema));
    }
  });
});

describe('a flat schema', () => {
  it('has what it refers to and is made of in its place', () => {
    const root = { $defs: { a: { type: 'string', title: 'Inner', maxLength: 5 } } };
    assert.deepEqual(flatSchema({ $ref: '#/$defs/a', title: 'Outer', maxLength: 3 }, root), {
      type: 'string',
      title: 'Outer',
      maxLength: 3,
    });
    assert.deepEqual(
      flatSchema(
        {
          properties: { a: { type: 'string' } },
          required: ['a'],
          minimum: 1,
          allOf: [{ properties: { a: { minLength: 1 }, b: {} }, required: ['a', 'b'], minimum: 2 }],
        },
        {},
      ),
      {
        properties: { a: { allOf: [{ type: 'string' }, { minLength: 1 }] }, b: {} },
        required: ['a', 'b'],
        minimum: 2,
      },
    );
  });

  it('is none where its parts cannot be said as one', () => {
    for (const part of [{ pattern: 'b' }, { type: 'number' }, { oneOf: [{ type: 'null' }] }]) {
      const schema = { type: 'string', pattern: 'a', oneOf: [{ const: 'a' }], allOf: [part] };
      assert.equal(flatSchema(schema, {}), undefined, JSON.stringify(part));
    }
    const circle = { $defs: { a: { $ref: '#/$defs/a' } } };
    assert.equal(flatSchema({ $ref: '#/$defs/a' }, circle), undefined);
    assert.equal(hasConditions({ $ref: '#/$defs/a' }, circle), true);
  });

  it('has what is asked for by the value so far', () => {
    const schema: JsonObject = {
      if: { required: ['a'] },
      then: { required: ['b'] },
      else: { required: ['c'] },
      dependentSchemas: { a: { minProperties: 2 } },
    };
    assert.equal(hasConditions(schema, {}), true);
    assert.equal(hasConditions({ allOf: [{ type: 'string' }] }, {}), false);
    assert.deepEqual(flatSchema(schema, {}, { a: 1 }), { required: ['b'], minProperties: 2 });
    assert.deepEqual(flatSchema(schema, {}, {}), { required: ['c'] });
    // Where nobody has said what is entered, no condition is met or missed.
    assert.deepEqual(flatSchema(schema, {}), {});
  });
});

describe('a schema without null', () => {
  it('says whether null was one of several values', () => {
    assert.deepEqual(withoutNull({ type: ['string', 'null'] }, {}), {
      schema: { type: 'string' },
      isNullable: true,
    });
    assert.deepEqual(withoutNull({ type: ['string', 'number', 'null'] }, {}), {
      schema: { type: ['string', 'number'] },
      isNullable: true,
    });
    assert.deepEqual(withoutNull({ type: ['string', 'null'], enum: ['a'] }, {}).isNullable, false);
    assert.deepEqual(
      withoutNull({ title: 'T', anyOf: [{ type: 'number' }, { type: 'null' }] }, {}),
      {
        schema: { title: 'T', type: 'number' },
        isNullable: true,
      },
    );
    const two = [{ type: 'number' }, { type: 'string' }];
    assert.deepEqual(withoutNull({ oneOf: [...two, { const: null }] }, {}), {
      schema: { oneOf: two },
      isNullable: true,
    });
    for (const schema of [
      { type: 'null' },
      { type: 'string' },
      { anyOf: two },
      {},
    ] as JsonObject[]) {
      assert.deepEqual(withoutNull(schema, {}), { schema, isNullable: false });
    }
  });
});
