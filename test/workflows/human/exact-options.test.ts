import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { describe, it } from 'mocha';
import { splitOptions } from '../../../workflows/human/request-input.js';

const QUESTION = { question: 'Pay?', response_type: 'confirm' } as const;

describe('a question of an agent’s workflow', () => {
  it('is refused with a number that JSON would write as null', () => {
    for (const amount of [NaN, Infinity]) {
      assert.throws(
        () => splitOptions({ ...QUESTION, context: { amount } }),
        (error) => error instanceof ApplicationFailure && error.type === 'invalid_request',
      );
    }
  });

  it('keeps every number that JSON can hold', () => {
    const context = { amounts: [0.30000000000000004, 2 ** 53, 5e-324, 1e21] };
    assert.deepEqual(splitOptions({ ...QUESTION, context }).question['context'], context);
  });
});
