import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Entered } from '../../../web/src/form/field.js';
import { faultsOf, formOf } from '../../../web/src/form/judged.js';
import {
  canSend,
  formSchemaOf,
  isChecked,
  saidBy,
  soFar,
} from '../../../web/src/state/answering/form-state.js';

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

const BRANCHES = [
  { const: 'approve_all', title: 'Approve all' },
  { const: 'reject_all', title: 'Reject all' },
];

describe('what a form says', () => {
  it('is no choice before somebody makes it', () => {
    for (const prio of [
      { oneOf: BRANCHES },
      { anyOf: BRANCHES },
      { enum: ['low', 'high'] },
      {
        type: 'boolean',
        oneOf: [
          { const: true, title: 'Ship' },
          { const: false, title: 'Hold' },
        ],
      },
      { type: 'boolean' },
      { const: 'yes' },
      { type: ['string', 'null'] },
      { $ref: '#/$defs/prio' },
      { allOf: [{ oneOf: BRANCHES }] },
      { type: 'array', items: { oneOf: BRANCHES }, minItems: 2 },
      { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, minItems: 1 },
      object({ inner: { oneOf: BRANCHES } }, ['inner']),
      {
        oneOf: [
          object({ kind: { const: 'card' } }, ['kind']),
          object({ kind: { const: 'bank' } }, ['kind']),
        ],
      },
      { type: 'array', prefixItems: [{ oneOf: BRANCHES }] },
    ] as JsonObject[]) {
      const $defs = { prio: { oneOf: BRANCHES } };
      const optional = { ...object({ prio }), $defs };
      assert.deepEqual(value(optional), {}, JSON.stringify(prio));
      assert.equal(canSend(asked(optional), {}), true);
      assert.deepEqual(saidBy(asked(optional), {}), { value: {} });
      const required = { ...object({ prio }, ['prio']), $defs };
      assert.ok(faultsOf(required, formOf(required, undefined)).length > 0, JSON.stringify(prio));
      assert.equal(canSend(asked(required), {}), false);
      assert.equal(saidBy(asked(required), {}), undefined);
    }
  });

  it('is a default of the schema, wherever it stands', () => {
    const schema = object({
      express: { type: 'boolean', default: false },
      prio: { oneOf: BRANCHES, default: 'reject_all' },
      tags: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      at: object({ x: { type: 'number' } }),
      more: { type: 'object', additionalProperties: { type: 'string' }, default: { a: 'b' } },
      pay: { anyOf: [{ type: 'null' }, { type: 'string' }], default: null },
    });
    assert.deepEqual(value(schema), {
      express: false,
      prio: 'reject_all',
      tags: ['a', 'b'],
      more: { a: 'b' },
      pay: null,
    });
    assert.deepEqual(value(schema, of({ prio: { chosen: undefined }, tags: { entries: [] } })), {
      express: false,
      tags: [],
      more: { a: 'b' },
      pay: null,
    });
  });

  it('leaves an optional object out with its defaults until somebody adds it', () => {
    const address = object(
      { street: { type: 'string' }, country: { type: 'string', default: 'DE' } },
      ['street'],
    );
    const schema = object({ address });
    assert.deepEqual(value(schema), {});
    assert.equal(canSend(asked(schema), {}), true);
    assert.deepEqual(paths(schema, of({ address: of({}) })), ['address.street']);
    assert.deepEqual(value(schema, of({ address: of({ street: 'High St' }) })), {
      address: { street: 'High St', country: 'DE' },
    });
    assert.deepEqual(value(schema, of({ address: { isRemoved: true } })), {});
  });

  it('asks for the rest of an optional object once a part of it is there', () => {
    const schema = object({
      at: object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y']),
    });
    assert.deepEqual(value(schema), {});
    assert.deepEqual(paths(schema, of({ at: of({ x: '1' }) })), ['at.y']);
    assert.deepEqual(value(schema, of({ at: of({ x: '', y: '' }) })), {});
  });

  it('has the constants of the branch that somebody chose, and no others', () => {
    const branch = (name: string, part: JsonObject) =>
      object({ kind: { const: name }, ok: { const: true }, ...part }, ['kind', 'ok']);
    const schema = object({
      pay: {
        oneOf: [
          branch('card', { number: { type: 'string' } }),
          branch('bank', { iban: { type: 'string' } }),
        ],
      },
    });
    assert.deepEqual(value(schema), {});
    const bank: Entered = { branch: 1, inner: of({ iban: 'DE1' }) };
    assert.deepEqual(paths(schema, of({ pay: bank })), ['pay.ok']);
    const both: Entered = { branch: 1, inner: of({ iban: 'DE1', ok: { chosen: true } }) };
    assert.deepEqual(value(schema, of({ pay: both })), {
      pay: { kind: 'bank', ok: true, iban: 'DE1' },
    });
  });

  it('has an input for every kind of value at the root', () => {
    const cases: readonly (readonly [JsonObject, Entered, JsonValue])[] = [
      [{ type: 'boolean' }, { chosen: false }, false],
      [{ type: 'number' }, '1.5', 1.5],
      [{ type: 'integer' }, ' 12 ', 12],
      [{ type: 'string' }, 'text', 'text'],
      [{ enum: [1, null, 'a'] }, { chosen: null }, null],
      [
        { type: 'array', items: { type: 'string' } },
        { entries: [{ inner: 'a' }, { inner: 'b' }] },
        ['a', 'b'],
      ],
      [{ type: 'null' }, { chosen: null }, null],
      [{ type: ['string', 'null'] }, null, null],
      [{ type: ['string', 'number'] }, { branch: 1, inner: '2' }, 2],
      [{}, '{"a": [1]}', { a: [1] }],
      [{ type: 'object' }, '{"a": [1]}', { a: [1] }],
      [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'x', 'x'],
      [
        { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
        { several: ['b', 'a'] },
        ['a', 'b'],
      ],
      [
        { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false },
        { entries: [{ inner: '1' }, { inner: 'x' }] },
        [1, 'x'],
      ],
      [
        { type: 'object', additionalProperties: { type: 'number' } },
        { of: {}, more: [{ name: 'a', inner: '1' }] },
        { a: 1 },
      ],
    ];
    for (const [schema, entered, expected] of cases) {
      assert.deepEqual(value(schema, entered), expected, JSON.stringify(schema));
      assert.deepEqual(paths(schema, entered), [], JSON.stringify(schema));
    }
  });

  it('is JSON where a schema has no input of its own', () => {
    for (const schema of [
      {},
      { type: 'object' },
      { $ref: '#/$defs/none' },
      { oneOf: [{ type: 'string' }], anyOf: [{ type: 'number' }, { type: 'null' }] },
      { allOf: [{ type: 'string' }, { type: 'number' }] },
      { type: 'object', patternProperties: { '^a': { type: 'string' }, '^b': { type: 'number' } } },
      { not: { type: 'string' } },
      { type: 'object', properties: 'x' },
      { oneOf: 'x' },
    ] as JsonObject[]) {
      assert.equal(kind(schema), 'json', JSON.stringify(schema));
      assert.deepEqual(value(schema, '[1]'), [1]);
      assert.deepEqual(paths(schema, '[1'), ['']);
    }
  });

  it('has what `then`, `else` and dependent schemas ask for, as long as they do', () => {
    const schema: JsonObject = {
      ...object({ kind: { enum: ['a', 'b'] } }, ['kind']),
      allOf: [
        {
          if: { properties: { kind: { const: 'b' } }, required: ['kind'] },
          then: { properties: { why: { type: 'string' } }, required: ['why'] },
        },
      ],
      dependentSchemas: { why: { properties: { more: { type: 'string' } } } },
      dependentRequired: { more: ['kind'] },
    };
    assert.deepEqual(paths(schema, of({ kind: { chosen: 'b' } })), ['why']);
    const all = of({ kind: { chosen: 'b' }, why: 'so', more: 'x' });
    assert.deepEqual(value(schema, all), { kind: 'b', why: 'so', more: 'x' });
    // What is no longer shown is no longer sent.
    assert.deepEqual(value(schema, of({ kind: { chosen: 'a' }, why: 'so', more: 'x' })), {
      kind: 'a',
    });
  });

  it('names what has to come with something else', () => {
    const schema = {
      ...object({ a: { type: 'string' }, b: { type: 'string' } }),
      dependentRequired: { a: ['b'] },
    };
    assert.deepEqual(paths(schema, of({ a: 'x' })), ['b']);
  });

  it('ends where a schema refers to itself', () => {
    const node = object(
      {
        name: { type: 'string' },
        next: { $ref: '#/$defs/node' },
        all: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      ['name'],
    );
    const schema = { $ref: '#/$defs/node', $defs: { node } };
    assert.deepEqual(paths(schema), ['name']);
    assert.deepEqual(value(schema, of({ name: 'a', next: of({ name: 'b' }) })), {
      name: 'a',
      next: { name: 'b' },
    });
    const endless = {
      $ref: '#/$defs/a',
      $defs: { a: object({ a: { $ref: '#/$defs/a' } }, ['a']) },
    };
    assert.equal(kind(endless), 'group');
    assert.equal(kind({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }), 'json');
  });

  it('takes a blank text for none', () => {
    const schema = object({ why: { type: 'string' }, note: { type: 'string' } }, ['why']);
    assert.deepEqual(paths(schema, of({ why: ' \u200b', note: ' ' })), ['why']);
    assert.deepEqual(value(schema, of({ why: ' a ', note: ' ' })), { why: ' a ' });
    const text = { response_type: 'text' } as const;
    for (const blank of ['', ' \n', '\u2800', '\u200b'])
      assert.equal(canSend(text, { value: blank }), false);
    assert.deepEqual(saidBy(text, { value: ' a' }), { value: ' a' });
  });

  it('is a moment with its distance from UTC, by a picker or as it is typed', () => {
    const schema = object({
      at: { type: 'string', format: 'time' },
      on: { type: 'string', format: 'date-time' },
    });
    const sent = value(schema, of({ at: '14:30', on: '2027-03-31T14:30:05' })) as JsonObject;
    assert.match(sent['at'] as string, /^14:30:00(Z|[+-]\d\d:\d\d)$/);
    assert.match(sent['on'] as string, /^2027-03-31T14:30:05(Z|[+-]\d\d:\d\d)$/);
    assert.deepEqual(paths(schema, of({ at: '14:30', on: '2027-03-31T14:30:05' })), []);
    assert.deepEqual(value(schema, of({ at: '14:30:00Z' })), { at: '14:30:00Z' });
    assert.deepEqual(paths(schema, of({ at: 'noon' })), ['at']);
  });

  it('has null for what may be null only where somebody says so', () => {
    const schema = object(
      {
        a: { type: ['string', 'null'] },
        b: { anyOf: [object({ x: { type: 'string' } }), { type: 'null' }] },
      },
      ['a', 'b'],
    );
    assert.deepEqual(paths(schema), ['a']);
    assert.deepEqual(value(schema, of({ a: null, b: null })), { a: null, b: null });
    assert.deepEqual(value(schema, of({ a: 'x', b: of({ x: 'y' }) })), { a: 'x', b: { x: 'y' } });
  });

  it('does not change what is read only', () => {
    const schema = object({
      id: { type: 'string', readOnly: true, default: 'A1' },
      by: { type: 'string', readOnly: true },
    });
    assert.deepEqual(value(schema, of({ id: 'other' })), { id: 'A1' });
  });

  it('has an empty list only where somebody leaves it empty', () => {
    const schema = object({ tags: { type: 'array', items: { type: 'string' } } }, ['tags']);
    assert.deepEqual(paths(schema), ['tags']);
    assert.deepEqual(value(schema, of({ tags: { entries: [] } })), { tags: [] });
    assert.deepEqual(paths(schema, of({ tags: { entries: [{}] } })), ['tags.0']);
  });

  it('goes with a decision as data, which nobody chose either', () => {
    const confirm = {
      response_type: 'confirm',
      response_schema: object({ prio: { oneOf: BRANCHES } }),
    } as const;
    assert.deepEqual(saidBy(confirm, { value: 'yes' }), { value: 'yes', data: {} });
    assert.equal(canSend(confirm, {}), false);
  });

  it('keeps a default of several values as its schema has it', () => {
    for (const preset of [
      ['c', 'a'],
      ['a', 'q'],
    ]) {
      const items = { enum: ['a', 'b', 'c'] };
      const schema = object({
        tags: { type: 'array', uniqueItems: true, items, default: preset },
      });
      assert.deepEqual(value(schema), { tags: preset });
    }
  });

  it('is JSON for a schema whose conditions would take too long to follow', () => {
    const schema = Array.from({ length: 9 }).reduce<JsonObject>(
      (inner) => ({
        ...object({ a: inner }, ['a']),
        if: { required: ['t'] },
        else: { properties: { t: { type: 'number', default: 1 } } },
      }),
      { type: 'string' },
    );
    assert.equal(kind(schema), 'json');
  });

  it('is read once, however often the page asks', () => {
    for (const more of [{}, { type: 'object' }]) {
      let reads = 0;
      const schema = {
        ...more,
        get properties() {
          reads += 1;
          return { a: { type: 'string' } };
        },
      } as unknown as JsonObject;
      const entered = of({ a: 'x' });
      const once = formOf(schema, entered);
      const after = reads;
      assert.ok(after > 0);
      const form = asked(schema);
      canSend(form, { form: entered });
      saidBy(form, { form: entered });
      soFar(form, entered);
      assert.equal(formOf(schema, entered), once);
      assert.equal(reads, after);
      assert.notEqual(formOf(schema, of({ a: 'y' })), once);
    }
    const listed = { response_type: 'form', context: { fields: [{ name: 'a' }] } } as const;
    assert.equal(formSchemaOf(listed), formSchemaOf({ ...listed, context: { ...listed.context } }));
  });

  it('is checked only by a form that is there', () => {
    const form = asked(object({ note: { type: 'string', default: 'x' } }));
    assert.equal(isChecked(form, undefined), false);
    assert.equal(
      isChecked(form, () => true),
      true,
    );
    assert.equal(isChecked({ response_type: 'text' }, undefined), true);
  });

  it('is JSON for a form that says nothing of what it wants', () => {
    const form = { response_type: 'form', context: {} } as const;
    assert.equal(canSend(form, {}), false);
    assert.deepEqual(saidBy(form, { form: '{"a": 1}' }), { value: { a: 1 } });
  });
});
