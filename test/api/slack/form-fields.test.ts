import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { enteredIn, fieldsOf, formBlocks } from '../../../api/slack/form.js';

const bySchema = (response_schema: JsonObject) =>
  fieldsOf({ response_type: 'form', response_schema }, false);
const byContext = (fields: readonly JsonObject[]) =>
  fieldsOf({ response_type: 'form', context: { fields: [...fields] } }, false);
const text = { type: 'string' };

describe('the fields of a form in Slack', () => {
  it('are all of it, or the inbox has to do', () => {
    for (const schema of [
      { type: 'object', properties: { a: text }, required: ['a', 'b'] },
      { type: 'object', properties: { a: text }, dependentRequired: { a: ['b'] } },
      { type: 'object', properties: { a: { ...text, if: { const: 'x' }, then: false } } },
      { type: 'object' },
      { type: 'object', properties: { a: { type: 'object' } } },
      { type: 'object', properties: { a: { oneOf: [text, { type: 'number' }] } } },
      {
        type: 'object',
        properties: { a: text },
        if: { required: ['a'] },
        then: { required: ['b'] },
      },
      { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'array', prefixItems: [text], minItems: 2 } } },
    ] as JsonObject[]) {
      assert.equal(bySchema(schema), undefined, JSON.stringify(schema));
    }
    for (const fields of [
      [{ name: 'a' }, { name: 'a', label: 'Other' }],
      [{ name: 'a' }, { label: 'B' }],
      [{ name: '' }, { name: 'b' }],
    ]) {
      assert.equal(byContext(fields), undefined, JSON.stringify(fields));
    }
    const choices = (count: number, style?: 'danger') =>
      Array.from({ length: count }, (_, i) => ({ value: `${i}`, label: `${i}`, style }));
    const object = { type: 'object', properties: { a: text } };
    for (const record of [
      { response_type: 'text', response_schema: object },
      { response_type: 'form', context: { fields: 'ask' } },
      { response_type: 'choice', choices: choices(101) },
      { response_type: 'choice', choices: choices(12, 'danger') },
    ] as Parameters<typeof fieldsOf>[0][]) {
      assert.equal(fieldsOf(record, false), undefined, JSON.stringify(record));
    }
  });

  it('have a name that people see, and say no more than their own part', () => {
    const fields = bySchema({
      type: 'object',
      properties: { '': text, ' ': { title: ' ', ...text } },
    });
    assert.ok(fields);
    const labels = formBlocks(fields).map(({ label }) => (label as JsonObject)['text']);
    assert.deepEqual(labels, ['""', '" "']);
    const values = { 'field-0': { value: { value: 'x' } }, 'field-1': { value: { value: 'y' } } };
    assert.deepEqual(enteredIn(fields, values), { '': 'x', ' ': 'y' });
  });

  it('have options of the type of the field', () => {
    const fields = byContext([
      { name: 'n', type: 'number', options: ['1', '2'] },
      { name: 'b', type: 'boolean', options: ['true', 'false'] },
      { name: 'any', options: [1, 'a'] },
    ]);
    assert.ok(fields);
    const first = { value: { selected_option: { value: '0' } } };
    const values = { 'field-0': first, 'field-1': first, 'field-2': first };
    assert.deepEqual(enteredIn(fields, values), { n: 1, b: true, any: 1 });
  });
});
