import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { canShow, formOf } from '../../../web/src/form/judged.js';
import { limitsOf } from '../../../web/src/form/field.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    amount: { type: 'number' },
    urgent: { type: 'boolean', default: true },
    lines: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
  },
  required: ['to'],
};

describe('a form of arguments that are there already', () => {
  it('shows them as they are, without defaults of the schema', () => {
    const given = { to: 'DE1', amount: 1.5, lines: [{ n: 1 }] };
    assert.deepEqual(formOf(SCHEMA, undefined, given).value, given);
    assert.equal(canShow(SCHEMA, given), true);
    assert.deepEqual(formOf(SCHEMA, { of: { to: 'DE2' } }, given).value, { ...given, to: 'DE2' });
    assert.deepEqual(formOf(SCHEMA, { of: { to: 'DE2' } }).value, { to: 'DE2', urgent: true });
  });

  it('is none where it would lose or change a part of them', () => {
    assert.equal(canShow(SCHEMA, { to: 'DE1', other: 1 }), false);
    assert.equal(canShow(SCHEMA, { to: 'DE1', lines: { n: 1 } }), false);
    assert.equal(canShow({ type: 'object' }, { to: 'DE1' }), false);
  });

  it('has a part that only JSON shows as JSON, and the others in fields', () => {
    const given = { to: 'DE1', lines: [{ n: 1, more: 2 }] };
    assert.equal(canShow(SCHEMA, given), true);
    assert.deepEqual(formOf(SCHEMA, { of: { to: 'DE2' } }, given).value, { ...given, to: 'DE2' });
  });
});

describe('the limits of a field', () => {
  for (const [kind, schema, said] of [
    ['number', { type: 'integer', minimum: 1, maximum: 400 }, 'A whole number, 1 to 400.'],
    ['number', { exclusiveMinimum: 0, multipleOf: 0.5 }, 'More than 0, in steps of 0.5.'],
    ['text', { minLength: 2, pattern: '^[A-Z]+$' }, 'At least 2 characters, matches ^[A-Z]+$.'],
    ['list', { maxItems: 5, uniqueItems: true }, 'At most 5 entries, each another one.'],
    ['text', { type: 'string' }, undefined],
    ['choice', { maxLength: 5 }, undefined],
  ] as const) {
    it(`are said as ${said ?? 'nothing'}`, () => {
      assert.equal(limitsOf({ kind, schema }), said);
    });
  }
});
