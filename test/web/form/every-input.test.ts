import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Entered } from '../../../web/src/form/field.js';
import { faultsOf, formOf } from '../../../web/src/form/judged.js';
import { canSend, saidBy } from '../../../web/src/state/answering/form-state.js';

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const of = (parts: Readonly<Record<string, Entered>>): Entered => ({ of: parts });
const value = (schema: JsonObject, entered?: Entered) => formOf(schema, entered).value;
const paths = (schema: JsonObject, entered?: Entered) =>
  faultsOf(schema, formOf(schema, entered)).map(({ path }) => path.join('.'));
const kind = (schema: JsonObject, entered?: Entered) => formOf(schema, entered).field.kind;
const asked = (response_schema: JsonObject) =>
  ({ response_type: 'form', response_schema }) as const;

describe('the inputs of a form', () => {
  it('leaves an optional list out with the defaults of its first parts until somebody adds it', () => {
    const first = { type: 'string', default: 'a' };
    for (const prefixItems of [
      [first],
      [{ type: 'string' }, first],
      [object({ x: first }, ['x'])],
      [{ type: 'array', prefixItems: [first], minItems: 1 }],
      [object({})],
    ]) {
      const list = { type: 'array', prefixItems, minItems: 1 };
      assert.deepEqual(value(object({ list })), {}, JSON.stringify(list));
      assert.equal(canSend(asked(object({ list })), {}), true);
    }
    const schema = object({ list: { type: 'array', prefixItems: [first, { type: 'number' }] } });
    const added: Entered = { entries: [{}] };
    assert.deepEqual(value(schema, of({ list: added })), { list: ['a'] });
    assert.deepEqual(value(schema, of({ list: { entries: [{}, { inner: '2' }] } })), {
      list: ['a', 2],
    });
    assert.deepEqual(value(schema, of({ list: { isRemoved: true } })), {});
    const given = { type: 'array', prefixItems: [{ type: 'string' }], default: ['b'] };
    assert.deepEqual(value(object({ given })), { given: ['b'] });
    const needed = { type: 'array', prefixItems: [first] };
    assert.deepEqual(value(object({ needed }, ['needed'])), { needed: ['a'] });
  });

  it('leaves an optional object out whose parts have to be there', () => {
    const geo = object({ lat: { type: 'number' } }, ['lat']);
    const schema = object({ at: object({ geo }, ['geo']) });
    assert.deepEqual(value(schema), {});
    assert.equal(canSend(asked(schema), {}), true);
    assert.deepEqual(paths(schema, of({ at: of({}) })), ['at.geo.lat']);
  });

  it('has a field for every name that has to be there', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a', 'b'],
      dependentRequired: { a: ['c'] },
    };
    assert.deepEqual(paths(schema, of({ a: 'x' })), ['b', 'c']);
    assert.deepEqual(value(schema, of({ a: 'x', b: '[1]', c: '"y"' })), {
      a: 'x',
      b: [1],
      c: 'y',
    });
    const numbers = { type: 'object', required: ['n'], additionalProperties: { type: 'number' } };
    assert.deepEqual(value(numbers, of({ n: '2' })), { n: 2 });
  });

  it('asks in a branch for what its conditions ask for', () => {
    const branch: JsonObject = {
      ...object({ kind: { enum: ['a', 'b'] } }, ['kind']),
      if: { properties: { kind: { const: 'b' } } },
      then: { properties: { why: { type: 'string' } }, required: ['why'] },
    };
    const schema = { oneOf: [{ type: 'string' }, branch] };
    const chosen = (kind: string, more = {}): Entered => ({
      branch: 1,
      inner: of({ kind: { chosen: kind }, ...more }),
    });
    assert.deepEqual(value(schema, chosen('a')), { kind: 'a' });
    assert.deepEqual(paths(schema, chosen('b')), ['why']);
    assert.deepEqual(value(schema, chosen('b', { why: 'so' })), { kind: 'b', why: 'so' });
    const only = { oneOf: [branch], title: 'Only' };
    assert.equal(formOf(only, undefined).field.title, 'Only');
    assert.deepEqual(paths(only, of({ kind: { chosen: 'b' } })), ['why']);
  });

  it('keeps its input for a value without parts, whatever its conditions say of what is typed', () => {
    const schema: JsonObject = {
      type: 'string',
      if: { minLength: 3 },
      then: { enum: ['abc', 'abcd'] },
    };
    assert.equal(kind(schema), 'text');
    assert.equal(kind(schema, 'abc'), 'text');
    assert.deepEqual(value(schema, 'abc'), 'abc');
    assert.deepEqual(paths(schema, 'abx'), ['']);
    assert.equal(kind({ if: { type: 'string' }, then: {}, else: { type: 'number' } }), 'json');
  });

  it('is JSON where a condition may bring another kind of input', () => {
    const schema: JsonObject = {
      ...object({ a: { type: 'string' } }),
      dependentSchemas: { a: { oneOf: [object({ b: { type: 'string' } }, ['b']), object({})] } },
    };
    assert.equal(kind(schema), 'json');
    assert.deepEqual(value(schema, '{"a": "x", "b": "y"}'), { a: 'x', b: 'y' });
  });

  it('takes as many parts as a list has to have', () => {
    const schema: JsonObject = { type: 'array', prefixItems: [{ type: 'string' }], minItems: 2 };
    const { field } = formOf(schema, { entries: [{ inner: 'a' }] });
    assert.equal(field.kind === 'list' && field.canGrow, true);
    assert.deepEqual(value(schema, { entries: [{ inner: 'a' }, { inner: '2' }] }), ['a', 2]);
    assert.deepEqual(paths(schema, { entries: [{ inner: 'a' }] }), ['']);
  });

  it('has an empty list with first parts only where somebody leaves it empty', () => {
    const list = { type: 'array', prefixItems: [{ type: 'string' }] };
    const schema = object({ list }, ['list']);
    assert.deepEqual(paths(schema), ['list']);
    assert.deepEqual(value(schema, of({ list: { entries: [] } })), { list: [] });
    assert.deepEqual(value(schema, of({ list: { entries: [{ inner: 'a' }] } })), { list: ['a'] });
  });

  it('takes a title of blanks for none', () => {
    const schema = object({ a: { type: 'string', title: ' \u200b' } });
    const { field } = formOf(schema, undefined);
    assert.equal(field.kind === 'group' && field.members[0]?.[1].title, undefined);
  });

  it('have options of the type of the field that a context lists', () => {
    const fields = [
      { name: 'n', type: 'number', options: ['1', '2'], required: true },
      { name: 'b', type: 'boolean', options: ['true', 'false'] },
    ];
    const form = { response_type: 'form', context: { fields } } as const;
    const filled = { form: of({ n: { chosen: 2 }, b: { chosen: false } }) };
    assert.deepEqual(saidBy(form, filled), { value: { n: 2, b: false } });
  });

  it('are one field for JSON where a context lists what cannot all have one', () => {
    for (const fields of [
      [{ name: 'a' }, { name: 'a', label: 'Other' }],
      [{ name: 'a' }, { label: 'B' }],
      [{ name: '' }],
      ['a'],
    ]) {
      const form = { response_type: 'form', context: { fields } } as const;
      assert.equal(canSend(form, {}), false);
      assert.deepEqual(saidBy(form, { form: '{"a": 1}' }), { value: { a: 1 } });
    }
  });
});
