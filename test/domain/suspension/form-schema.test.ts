import assert from 'node:assert/strict';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { fieldSchema, listedFields } from '../../../domain/suspension/form/form-schema.js';

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
    [
      'one of several numbers, which may stand there as texts',
      { type: 'number', options: ['1', 2, '2.50', '2.5'] },
      { type: 'number', enum: [1, 2, 2.5] },
    ],
    ['a whole number', { type: 'integer', options: ['1'] }, { type: 'integer', enum: [1] }],
    [
      'yes or no',
      { type: 'boolean', options: ['true', false] },
      { type: 'boolean', enum: [true, false] },
    ],
    [
      'one of several texts',
      { type: 'text', options: [1, true] },
      { type: 'string', enum: ['1', 'true'] },
    ],
    ['one of what is offered, where no type is said', { options: [1, 'a'] }, { enum: [1, 'a'] }],
    [
      'one of what is offered, where that has another type',
      { type: 'number', options: ['1', 'few'] },
      { enum: ['1', 'few'] },
    ],
    [
      'no number that would become another one',
      { type: 'number', options: ['9007199254740993'] },
      { enum: ['9007199254740993'] },
    ],
  ];
  for (const [what, field, schema] of cases) {
    it(`is ${what}`, () => assert.deepEqual(fieldSchema(field), schema));
  }
});

describe('the fields that a context lists', () => {
  it('are there with their names, in their order', () => {
    const [b, a] = [{ name: 'b' }, { name: 'a', type: 'number' }];
    assert.deepEqual(listedFields([b, a]), [
      ['b', b],
      ['a', a],
    ]);
  });

  it('are none where inputs would not be all of them', () => {
    for (const listed of [
      undefined,
      'a',
      {},
      [],
      [{ name: 'a' }, 'b'],
      [{ name: 'a' }, { label: 'B' }],
      [{ name: 'a' }, { name: '' }],
      [{ name: ' \u200b' }],
      [{ name: 'a' }, { name: 'b' }, { name: 'a' }],
    ]) {
      assert.equal(listedFields(listed), undefined, JSON.stringify(listed));
    }
  });
});
