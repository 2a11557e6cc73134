import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkSameShape } from '../../../domain/suspension/shape.js';
import { granted, recordWith, refused, settledWith } from '../samples.js';

const choices = (...values: string[]) => ({
  response_type: 'choice' as const,
  choices: values.map((value) => ({ value, label: `to ${value}` })),
});
const FIRST = recordWith(choices('approve', 'deny'));

describe('questions that one answer is given to', () => {
  it('have the same type, values and schema, in whatever order and under whatever labels', () => {
    const other = recordWith({ ...choices('deny', 'approve'), question: 'Refund 7?' });
    other.choices?.forEach((choice) => (choice.label = 'another'));
    granted(checkSameShape([FIRST, other, FIRST]));
    granted(
      checkSameShape([
        recordWith({ response_type: 'confirm' }),
        recordWith({ response_type: 'confirm', choices: [{ value: 'yes', label: 'Sure' }] }),
      ]),
    );
  });

  for (const [what, other] of [
    ['another type', recordWith({ response_type: 'text' })],
    ['other values', recordWith(choices('approve', 'later'))],
    ['more values', recordWith(choices('approve', 'deny', 'later'))],
    [
      'a schema',
      recordWith({ ...choices('approve', 'deny'), response_schema: { type: 'object' } }),
    ],
  ] as const) {
    it(`are refused if one has ${what}`, () => {
      const { code, field } = refused(checkSameShape([undefined, FIRST, FIRST, other]));
      assert.deepEqual([code, field], ['mixed_shapes', 'answers[3].suspension_id']);
    });
  }

  it('are looked at as far as they are known and open', () => {
    granted(checkSameShape([undefined, settledWith(), FIRST, settledWith()]));
    granted(checkSameShape([undefined]));
  });
});
