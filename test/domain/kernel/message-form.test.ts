import assert from 'node:assert/strict';
import { isInstant, isObject, isOneOf, isWorkflowId } from '../../../domain/kernel/message-form.js';

describe('the form of a message that nobody checked', () => {
  for (const [value, expected] of [
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['{}', false],
    [7, false],
  ] as const) {
    it(`${expected ? 'takes' : 'does not take'} ${JSON.stringify(value)} for an object`, () => {
      assert.equal(isObject(value), expected);
    });
  }

  for (const [what, value, expected] of [
    ['a text', 'order-7', true],
    ['one character', 'x', true],
    ['a thousand characters', 'x'.repeat(1_000), true],
    ['a thousand and one characters', 'x'.repeat(1_001), false],
    ['an empty text', '', false],
    ['a number', 7, false],
    ['a list', ['order-7'], false],
  ] as const) {
    it(`${expected ? 'takes' : 'does not take'} ${what} for the id of a workflow`, () => {
      assert.equal(isWorkflowId(value), expected);
    });
  }

  it('takes only instants that the store can hold', () => {
    assert.equal(isInstant('2026-03-24T10:00:00Z'), true);
    for (const value of ['soon', undefined, 1_774_346_400_000, '+012026-03-24T10:00:00Z']) {
      assert.equal(isInstant(value), false);
    }
  });

  it('takes only an accepted text, not what reads the same', () => {
    const accepted = ['skip', 'cancel'] as const;
    assert.deepEqual(
      ['skip', 'cancel', 'other', ['skip'], undefined].map((value) => isOneOf(value, accepted)),
      [true, true, false, false, false],
    );
  });
});
