import assert from 'node:assert/strict';
import type { JsonObject } from '../../../contracts/primitives.js';
import { fieldSchema } from '../../../domain/suspension/form-schema.js';

describe('the schema of a field that a context lists', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['a number', { type: 'number' }, { type: 'number' }],
    ['a date', { type: 'date' }, { type: 'string', format: 'date' }],
    ['an address', { type: 'url' }, { type: 'string', format: 'uri' }],
    ['text, for a type that nobody knows', { type: 'constructor' }, { type: 'string' }],
    ['text, without a type', { name: 'who' }, { type: 'string' }],
    [
      'one of several, with its words',
      { label: 'Size', description: 'Of the shirt', options: ['S', 'M'] },
      { type: 'string', title: 'Size', description: 'Of the shirt', enum: ['S', 'M'] },
    ],
    ['text, where nothing is offered', { options: [] }, { type: 'string' }],
  ];
  for (const [what, field, schema] of cases) {
    it(`is ${what}`, () => assert.deepEqual(fieldSchema(field), schema));
  }
});
